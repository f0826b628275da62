package dev.cairn.search;

import dev.cairn.platform.Deadline;
import dev.cairn.search.EmbeddingService.Model;
import dev.cairn.search.EmbeddingService.RefusedException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
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

  /** Characters of a refused text that are tried again, in case it has too many tokens. */
  private static final int MAX_RETRIED = 1_000;

  /** After this number of failures in a row, one of the texts may be their cause. */
  private static final int FAILURES_BEFORE_SUSPICION = 5;

  /** How long a search waits for the vector of its query. */
  private static final Duration QUERY_TIMEOUT = Duration.ofSeconds(5);

  /** A batch takes at most this many times the timeout of a call. */
  private static final int MAX_TIMEOUTS = 5;

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
  public boolean isRemote() {
    return true;
  }

  @Override
  public float[] embedQuery(String query) throws InterruptedException {
    if (query.isBlank()) {
      return zeros();
    }
    try {
      return service.embed(model, List.of(query), QUERY_TIMEOUT, false).getFirst();
    } catch (RefusedException e) {
      throw new EmbedderException(e.getMessage(), null);
    }
  }

  @Override
  public List<float[]> embed(List<Passage> passages, int failures) throws InterruptedException {
    var texts = passages.stream().map(ServiceEmbedder::text).toList();
    // The service may refuse an empty text.
    var indexes = IntStream.range(0, texts.size()).filter(i -> !texts.get(i).isBlank()).toArray();
    var vectors = new ArrayList<float[]>(texts.size());
    texts.forEach(_ -> vectors.add(zeros()));
    var batch = new Batch(failures >= FAILURES_BEFORE_SUSPICION);
    var found = batch.embed(Arrays.stream(indexes).mapToObj(texts::get).toList());
    for (int i = 0; i < indexes.length; i++) {
      vectors.set(indexes[i], found.get(i));
    }
    return vectors;
  }

  private float[] zeros() {
    return new float[model.dimensions()];
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

  /** The texts of a call, of which the service may refuse some. */
  private final class Batch {
    private final Deadline deadline = Deadline.in(timeout.multipliedBy(MAX_TIMEOUTS));
    private final boolean mayBeRefusal;
    private boolean hasServiceAnswered;
    private int refused;

    Batch(boolean mayBeRefusal) {
      this.mayBeRefusal = mayBeRefusal;
    }

    List<float[]> embed(List<String> texts) throws InterruptedException {
      if (texts.isEmpty()) {
        return List.of();
      }
      var vectors = embedHalving(texts);
      if (refused > 0) {
        LOG.warnf(
            "the embedding service refuses %d of %d texts, which therefore have no vectors",
            refused, texts.size());
      }
      return vectors;
    }

    /** Finds those that the service refuses by halving. */
    private List<float[]> embedHalving(List<String> texts) throws InterruptedException {
      try {
        return call(texts);
      } catch (RefusedException e) {
        if (texts.size() == 1) {
          return List.of(embedBeginning(texts.getFirst(), e));
        }
        int half = texts.size() / 2;
        var vectors = new ArrayList<>(embedHalving(texts.subList(0, half)));
        vectors.addAll(embedHalving(texts.subList(half, texts.size())));
        return vectors;
      }
    }

    private List<float[]> call(List<String> texts) throws RefusedException, InterruptedException {
      if (deadline.hasPassed()) {
        throw new EmbedderException("the embedding service takes too long for a batch", null);
      }
      var left = Duration.ofNanos(deadline.nanosLeft());
      return service.embed(
          model, texts, left.compareTo(timeout) < 0 ? left : timeout, mayBeRefusal);
    }

    private float[] embedBeginning(String text, RefusedException refusal)
        throws InterruptedException {
      try {
        if (text.length() > MAX_RETRIED) {
          return call(List.of(beginning(text, MAX_RETRIED))).getFirst();
        }
      } catch (RefusedException _) {
        // It is not its length.
      }
      requireWorkingService(refusal);
      refused++;
      return zeros();
    }

    /** If the service refuses everything, the texts are not at fault. */
    private void requireWorkingService(RefusedException refusal) throws InterruptedException {
      if (hasServiceAnswered) {
        return;
      }
      try {
        call(List.of(PROBE));
        hasServiceAnswered = true;
      } catch (RefusedException _) {
        throw new EmbedderException(refusal.getMessage(), null);
      }
    }
  }
}
