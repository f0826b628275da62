package dev.cairn.search;

import dev.cairn.search.EmbeddingService.Model;
import dev.cairn.search.EmbeddingService.RefusedException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.jboss.logging.Logger;

/** Embeds with a model of the embedding service. */
final class ServiceEmbedder implements Embedder {
  private static final Logger LOG = Logger.getLogger(ServiceEmbedder.class);

  private static final Pattern VERSION =
      Pattern.compile("service-(?<dimensions>[0-9]{1,4}) (?<model>.+)");

  /** If a text is refused, its beginning is tried, in case it has too many tokens. */
  private static final int SHORT = 1_000;

  /** A text that every model accepts. */
  private static final String PROBE = "text";

  private final EmbeddingService service;
  private final Model model;
  private final int maxPassages;
  private final Duration timeout;

  /**
   * An embedder.
   *
   * @param maxPassages of a call
   * @param timeout of a call
   */
  ServiceEmbedder(EmbeddingService service, Model model, int maxPassages, Duration timeout) {
    this.service = service;
    this.model = model;
    this.maxPassages = maxPassages;
    this.timeout = timeout;
  }

  /** The model of a version; empty for a version of another embedder. */
  static Optional<Model> model(String version) {
    return Optional.of(VERSION.matcher(version))
        .filter(found -> found.matches())
        .map(found -> new Model(found.group("model"), Integer.parseInt(found.group("dimensions"))));
  }

  @Override
  public String version() {
    return "service-%d %s".formatted(model.dimensions(), model.name());
  }

  @Override
  public int maxPassages() {
    return maxPassages;
  }

  @Override
  public List<float[]> embed(List<Passage> passages) throws InterruptedException {
    var texts = passages.stream().map(ServiceEmbedder::text).toList();
    // The service may refuse an empty text.
    var indexes = IntStream.range(0, texts.size()).filter(i -> !texts.get(i).isBlank()).toArray();
    var vectors = new ArrayList<float[]>(texts.size());
    texts.forEach(_ -> vectors.add(new float[model.dimensions()]));
    for (int from = 0; from < indexes.length; from += maxPassages) {
      int to = Math.min(from + maxPassages, indexes.length);
      var found = embedAll(IntStream.range(from, to).mapToObj(i -> texts.get(indexes[i])).toList());
      for (int i = from; i < to; i++) {
        vectors.set(indexes[i], found.get(i - from));
      }
    }
    return vectors;
  }

  private static String text(Passage passage) {
    var text = passage.title().isEmpty() ? passage.body() : passage.title() + "\n" + passage.body();
    return beginning(text, MAX_CHARACTERS);
  }

  private static String beginning(String text, int max) {
    if (text.length() <= max) {
      return text;
    }
    return text.substring(0, Character.isHighSurrogate(text.charAt(max - 1)) ? max - 1 : max);
  }

  /** Finds those that the service refuses by halving. */
  private List<float[]> embedAll(List<String> texts) throws InterruptedException {
    try {
      return service.embed(model, texts, timeout);
    } catch (RefusedException refused) {
      if (texts.size() == 1) {
        return List.of(embedRefused(texts.getFirst(), refused));
      }
      int half = texts.size() / 2;
      var vectors = new ArrayList<>(embedAll(texts.subList(0, half)));
      vectors.addAll(embedAll(texts.subList(half, texts.size())));
      return vectors;
    }
  }

  private float[] embedRefused(String text, RefusedException refused) throws InterruptedException {
    if (text.length() > SHORT) {
      return embedAll(List.of(beginning(text, SHORT))).getFirst();
    }
    try {
      service.embed(model, List.of(PROBE), timeout);
    } catch (RefusedException _) {
      throw new EmbedderException(refused.getMessage(), null);
    }
    LOG.warnf(
        "%s to a text of %d characters, which therefore has no vector",
        refused.getMessage(), text.length());
    return new float[model.dimensions()];
  }
}
