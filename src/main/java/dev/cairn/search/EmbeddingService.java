package dev.cairn.search;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.cairn.egress.EgressClient;
import dev.cairn.egress.EgressRequest;
import dev.cairn.egress.EgressResult;
import dev.cairn.platform.CairnConfig;
import io.quarkus.runtime.annotations.RegisterForReflection;
import jakarta.inject.Singleton;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Set;

/**
 * Calls the embedding service, an OpenAI-compatible API; see {@code docs/search.md}, Embedding
 * service. It belongs to the operator, so any address may be called.
 */
@Singleton
class EmbeddingService {
  private static final String PURPOSE = "embedding";
  private static final int OK = 200;

  /** The statuses that say that the texts are at fault, and not the service. */
  private static final Set<Integer> REFUSALS = Set.of(400, 413, 422);

  /** What a service may answer for texts that it cannot take, but mostly for other reasons. */
  private static final int INTERNAL_ERROR = 500;

  /** Maximum bytes of a number in an answer. */
  private static final int MAX_NUMBER_BYTES = 32;

  /** Maximum bytes of the rest of an answer. */
  private static final int MAX_OTHER_BYTES = 64 << 10;

  /** However long the service requires, it is called again after this time. */
  private static final Duration MAX_PAUSE = Duration.ofMinutes(5);

  private static final JsonMapper JSON =
      JsonMapper.builder().disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES).build();

  private final EgressClient client;
  private final CairnConfig.Embedding config;

  /** Before this moment, on the clock of {@link System#nanoTime()}, the service is not called. */
  private volatile long pausedUntil = System.nanoTime();

  /** A model, and the number of dimensions of its vectors. */
  record Model(String name, int dimensions) {}

  /** Thrown if the service does not accept the texts, or does not answer with their vectors. */
  static final class RefusedException extends Exception {
    private static final long serialVersionUID = 1L;

    RefusedException(String message) {
      super(message, null, false, false);
    }
  }

  @RegisterForReflection
  @JsonInclude(JsonInclude.Include.NON_NULL)
  record Request(
      String model,
      List<String> input,
      Integer dimensions,
      @JsonProperty("encoding_format") String encodingFormat) {}

  @RegisterForReflection
  record Answer(List<Item> data) {}

  @RegisterForReflection
  record Item(int index, float[] embedding) {}

  EmbeddingService(EgressClient client, CairnConfig config) {
    this.client = client;
    this.config = config.embedding();
  }

  /**
   * The vectors of texts, in their order.
   *
   * @param texts none of them blank
   * @param mayBeRefusal whether a failure of the service is taken to mean that it does not accept
   *     the texts
   * @throws RefusedException if one or more of the texts have no vectors in the answer
   * @throws EmbedderException if the service does not answer, or with an error
   */
  List<float[]> embed(Model model, List<String> texts, Duration timeout, boolean mayBeRefusal)
      throws RefusedException, InterruptedException {
    var pause = Duration.ofNanos(pausedUntil - System.nanoTime());
    if (pause.isPositive()) {
      throw new EmbedderException("the embedding service is to be called later", pause);
    }
    return switch (client.call(request(model, texts, timeout))) {
      case EgressResult.Answer answer -> {
        if (REFUSALS.contains(answer.status()) || (mayBeRefusal && isFailure(answer))) {
          throw new RefusedException("the embedding service answered " + answer.status());
        }
        yield vectors(model, texts.size(), answer);
      }
      case EgressResult.Forbidden forbidden ->
          throw new EmbedderException(forbidden.sentence(), null);
      case EgressResult.Unreachable unreachable -> {
        if (Thread.interrupted()) {
          throw new InterruptedException("the call is cancelled");
        }
        throw new EmbedderException(
            "the embedding service cannot be reached: " + unreachable.fault(), null);
      }
    };
  }

  private EgressRequest request(Model model, List<String> texts, Duration timeout) {
    int bytes = MAX_OTHER_BYTES + texts.size() * model.dimensions() * MAX_NUMBER_BYTES;
    var dimensions = config.requestDimensions() ? model.dimensions() : null;
    var call =
        EgressRequest.post(
                PURPOSE, url(), bytes(new Request(model.name(), texts, dimensions, "float")))
            .toOperatorUrl()
            .header("Content-Type", "application/json")
            .within(timeout)
            .withResponseLimits(bytes, bytes);
    return config.key().map(key -> call.header("Authorization", "Bearer " + key)).orElse(call);
  }

  private String url() {
    var base = config.url().map(URI::toString).orElseThrow();
    return (base.endsWith("/") ? base : base + "/") + "embeddings";
  }

  private static byte[] bytes(Request request) {
    try {
      return JSON.writeValueAsBytes(request);
    } catch (JsonProcessingException e) {
      throw new IllegalStateException(e);
    }
  }

  private List<float[]> vectors(Model model, int count, EgressResult.Answer answer)
      throws RefusedException {
    int status = answer.status();
    if (status != OK) {
      var retryAfter = answer.retryAfter(Instant.now()).orElse(null);
      if (retryAfter != null) {
        pause(retryAfter);
      }
      throw new EmbedderException("the embedding service answered " + status, retryAfter);
    }
    return vectors(model, count, read(answer));
  }

  private static boolean isFailure(EgressResult.Answer answer) {
    return answer.status() == INTERNAL_ERROR && answer.retryAfter(Instant.now()).isEmpty();
  }

  /** All calls wait, also those for other repositories. */
  private synchronized void pause(Duration required) {
    var pause = required.compareTo(MAX_PAUSE) < 0 ? required : MAX_PAUSE;
    long until = System.nanoTime() + pause.toNanos();
    if (until - pausedUntil > 0) {
      pausedUntil = until;
    }
  }

  private static Answer read(EgressResult.Answer answer) {
    if (answer.isTruncated()) {
      throw new EmbedderException("the answer of the embedding service is too long", null);
    }
    try {
      return JSON.readValue(answer.body(), Answer.class);
    } catch (IOException _) {
      // The message may quote the answer, which may quote what was indexed.
      throw new EmbedderException("the answer of the embedding service is malformed", null);
    }
  }

  private static List<float[]> vectors(Model model, int count, Answer answer)
      throws RefusedException {
    var vectors = new float[count][];
    for (var item : answer == null || answer.data() == null ? List.<Item>of() : answer.data()) {
      if (item != null && item.index() >= 0 && item.index() < count) {
        vectors[item.index()] = item.embedding();
      }
    }
    for (var vector : vectors) {
      if (vector == null) {
        throw new RefusedException("the embedding service has left out a vector");
      }
      if (vector.length != model.dimensions()) {
        throw new RefusedException(
            "the vectors of the embedding service have %d dimensions instead of %d"
                .formatted(vector.length, model.dimensions()));
      }
      if (!isFinite(vector)) {
        throw new RefusedException("a vector of the embedding service is not finite");
      }
    }
    return Arrays.asList(vectors);
  }

  private static boolean isFinite(float[] vector) {
    for (float x : vector) {
      if (!Float.isFinite(x)) {
        return false;
      }
    }
    return true;
  }
}
