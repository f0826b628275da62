package dev.cairn.search;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import dev.cairn.access.Caller;
import dev.cairn.access.LookUpLimit;
import dev.cairn.access.RepositoryAccess;
import dev.cairn.access.limit.CallerLimiter;
import dev.cairn.access.limit.RateLimiter;
import dev.cairn.access.limit.ReadBounds;
import dev.cairn.model.ErrorCode;
import dev.cairn.model.Problem;
import dev.cairn.platform.CairnConfig;
import dev.cairn.platform.database.Database;
import dev.cairn.query.ThingReads;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.List;
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
  private static final int MAX_USERS_OF_CALLER = 8;

  /** How many of all accounts, and how many of all network addresses without credentials. */
  private static final int MAX_OF_KIND = 16;

  /** How long a query waits for others to be embedded. */
  private static final Duration MAX_WAIT = Duration.ofSeconds(1);

  private static final String POLICY = "embedded-queries";

  private static final Duration HOUR = Duration.ofHours(1);

  private static final int MAX_BYTES = 8 << 20;

  /** What a vector takes in the cache besides its dimensions and its query, in bytes. */
  private static final int ENTRY_OVERHEAD_BYTES = 200;

  private final IndexStates states;
  private final Embedders embedders;
  private final LookUpLimit lookUps;
  private final Database database;
  private final ReadBounds bounds;
  private final ThingReads things;
  private final RateLimiter limiter;
  private final int perHour;
  private final CallerLimiter embeddings =
      new CallerLimiter(MAX_OF_CALLER, MAX_USERS_OF_CALLER, MAX_OF_KIND, 0);
  private final Cache<Key, StoredVector> cache =
      Caffeine.newBuilder().maximumWeight(MAX_BYTES).weigher(QueryVectors::bytes).build();

  /**
   * What a vector is cached by.
   *
   * @param caller who asked, if the embedder is a service: a vector of another's query would show
   *     that somebody asked for the same, since it is not counted
   */
  private record Key(String embedder, String query, String caller) {}

  QueryVectors(
      IndexStates states,
      Embedders embedders,
      LookUpLimit lookUps,
      Database database,
      ReadBounds bounds,
      ThingReads things,
      RateLimiter limiter,
      CairnConfig config) {
    this.states = states;
    this.embedders = embedders;
    this.lookUps = lookUps;
    this.database = database;
    this.bounds = bounds;
    this.things = things;
    this.limiter = limiter;
    this.perHour = config.limits().embeddedQueriesPerHour();
  }

  private static int bytes(Key key, StoredVector vector) {
    int characters = key.query().length() + key.caller().length();
    return ENTRY_OVERHEAD_BYTES + Character.BYTES * characters + vector.bytes().length;
  }

  /**
   * What a search by vectors compares with: the vector of its query, or that of the entity that the
   * hits are to be like. Must be called without a connection, since it may take long; what the
   * caller may do must be verified again after it.
   *
   * @throws Problem {@code NOT_FOUND} for the entity; {@code UNAVAILABLE} if the mode finds nothing
   *     without a vector, and the embedder does not answer; {@code RATE_LIMITED}
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
    if (request.like().isPresent()) {
      return stored(access, things.id(access, request.like().get(), "?like"), known);
    }
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

  private QueryVector stored(RepositoryAccess access, long entityId, List<Embedder> known) {
    for (var embedder : known) {
      var vector =
          bounds.within(
              access,
              () ->
                  database.first(
                      """
                      select vector from search_vector
                      where repo_id = ? and embedder = ? and entity_id = ?
                      """,
                      row -> new StoredVector(row.getBytes(1)),
                      access.repoId(),
                      embedder.version(),
                      entityId));
      if (vector.isPresent()) {
        return new QueryVector.Known(embedder.version(), vector.get(), entityId);
      }
    }
    return QueryVector.NONE;
  }

  private static QueryVector without(SearchMode mode) {
    if (mode == SearchMode.VECTOR) {
      throw Problem.of(ErrorCode.UNAVAILABLE, "The embedding service does not answer.")
          .hint("Search with mode=text, or try again.");
    }
    return new QueryVector.Failed();
  }

  /** Empty if the embedder does not answer. */
  private Optional<QueryVector> vector(Caller caller, Embedder embedder, SearchRequest request) {
    var key =
        new Key(
            embedder.version(),
            request.query().wantedText(),
            embedder.isRemote() ? caller.limitKey() : "");
    var known = cache.getIfPresent(key);
    if (known != null) {
      return Optional.of(new QueryVector.Known(key.embedder(), known, 0));
    }
    return embedder.isRemote()
        ? embeddings.call(
            caller,
            MAX_WAIT,
            () -> {
              count(caller);
              return embed(embedder, key);
            },
            () ->
                Problem.of(
                    ErrorCode.UNAVAILABLE,
                    "Too many queries are embedded at this moment; wait for yours, or try"
                        + " again."))
        : embed(embedder, key);
  }

  private void count(Caller caller) {
    switch (caller) {
      case Caller.SignedIn account ->
          limiter.take(POLICY, "account:" + account.accountId(), perHour, HOUR);
      case Caller.Anonymous nobody ->
          limiter.takeByAddress(POLICY, nobody.address(), perHour, HOUR);
    }
  }

  private Optional<QueryVector> embed(Embedder embedder, Key key) {
    try {
      var vector = StoredVector.of(embedder.embedQuery(key.query()));
      cache.put(key, vector);
      return Optional.of(new QueryVector.Known(key.embedder(), vector, 0));
    } catch (EmbedderException e) {
      LOG.warnf("a query has no vector: %s", e.getMessage());
      return Optional.empty();
    } catch (InterruptedException _) {
      throw Problem.of(ErrorCode.UNAVAILABLE, "The search was cancelled.");
    }
  }
}
