package dev.cairn.search;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import dev.cairn.access.Caller;
import dev.cairn.access.RepositoryAccess;
import dev.cairn.model.ErrorCode;
import dev.cairn.model.Problem;
import dev.cairn.platform.limiter.KeyedLimiter;
import dev.cairn.search.Embedder.Passage;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jboss.logging.Logger;

/** The vectors of queries, by the embedder of what is stored. */
@Singleton
class QueryVectors {
  private static final Logger LOG = Logger.getLogger(QueryVectors.class);

  /** The vector of a search that needs none. */
  static final QueryVector NONE = new QueryVector(Optional.empty(), null, true);

  /** How long a search waits for an embedder. */
  private static final Duration TIMEOUT = Duration.ofSeconds(5);

  /**
   * How many queries of one account or network address may be embedded, and of all of either kind.
   */
  private static final int MAX_OF_CALLER = 2;

  private static final int MAX_OF_KIND = 16;

  private static final int MAX_BYTES = 8 << 20;

  /** What a vector takes in the cache besides its dimensions and its query, in bytes. */
  private static final int BYTES_BESIDES = 200;

  private final IndexStates states;
  private final Embedders embedders;
  private final KeyedLimiter<String> accounts = limiter();
  private final KeyedLimiter<String> addresses = limiter();
  private final Cache<Key, StoredVector> cache =
      Caffeine.newBuilder().maximumWeight(MAX_BYTES).weigher(QueryVectors::bytes).build();

  private record Key(String embedder, String query) {}

  /**
   * The vector of a query.
   *
   * @param embedder whose vectors it can be compared with; empty if there is none
   * @param vector null without an embedder
   * @param isEmbedded false if the embedder did not answer
   */
  record QueryVector(Optional<String> embedder, StoredVector vector, boolean isEmbedded) {}

  QueryVectors(IndexStates states, Embedders embedders) {
    this.states = states;
    this.embedders = embedders;
  }

  private static KeyedLimiter<String> limiter() {
    return new KeyedLimiter<>(MAX_OF_CALLER, MAX_OF_CALLER, MAX_OF_KIND);
  }

  private static int bytes(Key key, StoredVector vector) {
    return BYTES_BESIDES + Character.BYTES * key.query().length() + vector.bytes().length;
  }

  /**
   * The vector of a query. Must be called without a connection, since it may take long.
   *
   * @throws Problem {@code UNAVAILABLE} if too many queries are embedded at this moment, or if the
   *     mode finds nothing without a vector and the embedder does not answer
   */
  QueryVector of(RepositoryAccess access, SearchRequest request) {
    if (!request.mode().usesVectors()) {
      return NONE;
    }
    var state = states.of(access.repoId(), Set.of(IndexPart.VECTORS)).get(IndexPart.VECTORS);
    var version = Optional.ofNullable(state).flatMap(known -> known.searched(embedders::isKnown));
    if (version.isEmpty()) {
      return NONE;
    }
    var key = new Key(version.get(), request.query().wantedText());
    var known = cache.getIfPresent(key);
    return known == null
        ? limiter(access.caller())
            .call(
                access.caller().limitKey(),
                Duration.ZERO,
                () -> embedded(key, request.mode()),
                () -> unavailable("Too many queries are embedded at this moment; try again."))
        : new QueryVector(version, known, true);
  }

  private KeyedLimiter<String> limiter(Caller caller) {
    return switch (caller) {
      case Caller.SignedIn _ -> accounts;
      case Caller.Anonymous _ -> addresses;
    };
  }

  private static Problem unavailable(String detail) {
    return Problem.of(ErrorCode.UNAVAILABLE, detail);
  }

  private QueryVector embedded(Key key, SearchMode mode) {
    var embedder = embedders.find(key.embedder(), TIMEOUT).orElseThrow();
    try {
      var vector =
          StoredVector.of(embedder.embed(List.of(new Passage("", key.query()))).getFirst());
      cache.put(key, vector);
      return new QueryVector(Optional.of(key.embedder()), vector, true);
    } catch (EmbedderException e) {
      LOG.warnf("a query has no vector: %s", e.getMessage());
      if (mode == SearchMode.VECTOR) {
        throw unavailable("The embedding service does not answer.")
            .hint("Search with mode=text, or try again.");
      }
      return new QueryVector(Optional.empty(), null, false);
    } catch (InterruptedException _) {
      throw unavailable("The search was cancelled.");
    }
  }
}
