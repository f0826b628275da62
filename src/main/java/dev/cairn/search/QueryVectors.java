package dev.cairn.search;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import dev.cairn.access.Caller;
import dev.cairn.access.LookUpLimit;
import dev.cairn.access.RepositoryAccess;
import dev.cairn.model.ErrorCode;
import dev.cairn.model.Problem;
import dev.cairn.platform.limiter.KeyedLimiter;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import org.jboss.logging.Logger;

/**
 * The vectors of queries, by the embedder of what is stored; see {@code docs/search.md}, Embedding
 * service.
 */
@Singleton
class QueryVectors {
  private static final Logger LOG = Logger.getLogger(QueryVectors.class);

  /** How many queries of one account or network address a service embeds at a time. */
  private static final int MAX_OF_CALLER = 2;

  /** How many of them may be embedded or wait. */
  private static final int MAX_WAITING = 8;

  /** How many of all accounts, and how many of all network addresses without credentials. */
  private static final int MAX_OF_KIND = 16;

  /** How long a query waits for others to be embedded. */
  private static final Duration WAIT = Duration.ofSeconds(1);

  private static final int MAX_BYTES = 8 << 20;

  /** What a vector takes in the cache besides its dimensions and its query, in bytes. */
  private static final int BYTES_BESIDES = 200;

  private final IndexStates states;
  private final Embedders embedders;
  private final LookUpLimit lookUps;
  private final KeyedLimiter<String> accounts = limiter();
  private final KeyedLimiter<String> addresses = limiter();
  private final Cache<Key, StoredVector> cache =
      Caffeine.newBuilder().maximumWeight(MAX_BYTES).weigher(QueryVectors::bytes).build();

  private record Key(String embedder, String query) {}

  QueryVectors(IndexStates states, Embedders embedders, LookUpLimit lookUps) {
    this.states = states;
    this.embedders = embedders;
    this.lookUps = lookUps;
  }

  private static KeyedLimiter<String> limiter() {
    return new KeyedLimiter<>(MAX_OF_CALLER, MAX_WAITING, MAX_OF_KIND);
  }

  private static int bytes(Key key, StoredVector vector) {
    return BYTES_BESIDES + Character.BYTES * key.query().length() + vector.bytes().length;
  }

  /**
   * The vector of a query. Must be called without a connection, since it may take long; what the
   * caller may do must be verified again after it.
   *
   * @throws Problem {@code UNAVAILABLE} if the mode finds nothing without a vector, and the
   *     embedder does not answer
   */
  QueryVector of(RepositoryAccess access, SearchRequest request) {
    if (!request.mode().usesVectors()) {
      return QueryVector.NONE;
    }
    // The former one first: it has the vectors of all entities.
    var known =
        state(access).filter(IndexState::isOn).stream()
            .flatMap(state -> state.forms().reversed().stream())
            .flatMap(version -> embedders.find(version).stream())
            .toList();
    if (known.isEmpty()) {
      return QueryVector.NONE;
    }
    return known.stream()
        .flatMap(embedder -> vector(access.caller(), embedder, request).stream())
        .findFirst()
        .orElseGet(() -> without(request.mode()));
  }

  private Optional<IndexState> state(RepositoryAccess access) {
    Supplier<Map<IndexPart, IndexState>> look =
        () -> states.of(access.repoId(), Set.of(IndexPart.VECTORS));
    var found =
        switch (access.caller()) {
          case Caller.SignedIn _ -> look.get();
          case Caller.Anonymous nobody -> lookUps.lookUp(nobody, look);
        };
    return Optional.ofNullable(found.get(IndexPart.VECTORS));
  }

  private static QueryVector without(SearchMode mode) {
    if (mode == SearchMode.VECTOR) {
      throw Problem.of(ErrorCode.UNAVAILABLE, "The embedding service does not answer.")
          .hint("Search with mode=text, or try again.");
    }
    return QueryVector.FAILED;
  }

  /** Empty if the embedder does not answer. */
  private Optional<QueryVector> vector(Caller caller, Embedder embedder, SearchRequest request) {
    var key = new Key(embedder.version(), request.query().wantedText());
    var known = cache.getIfPresent(key);
    if (known != null) {
      return Optional.of(QueryVector.of(key.embedder(), known));
    }
    return embedder.isRemote()
        ? limiter(caller)
            .call(
                caller.limitKey(),
                WAIT,
                () -> embedded(embedder, key),
                () ->
                    Problem.of(
                        ErrorCode.UNAVAILABLE,
                        "Too many queries are embedded at this moment; wait for yours, or try"
                            + " again."))
        : embedded(embedder, key);
  }

  private KeyedLimiter<String> limiter(Caller caller) {
    return switch (caller) {
      case Caller.SignedIn _ -> accounts;
      case Caller.Anonymous _ -> addresses;
    };
  }

  private Optional<QueryVector> embedded(Embedder embedder, Key key) {
    try {
      var vector = StoredVector.of(embedder.embedQuery(key.query()));
      cache.put(key, vector);
      return Optional.of(QueryVector.of(key.embedder(), vector));
    } catch (EmbedderException e) {
      LOG.warnf("a query has no vector: %s", e.getMessage());
      return Optional.empty();
    } catch (InterruptedException _) {
      throw Problem.of(ErrorCode.UNAVAILABLE, "The search was cancelled.");
    }
  }
}
