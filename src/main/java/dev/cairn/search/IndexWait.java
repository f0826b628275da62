package dev.cairn.search;

import dev.cairn.access.Caller;
import dev.cairn.access.LookUpLimit;
import dev.cairn.access.RepositoryAccess;
import dev.cairn.access.limit.CallerLimiter;
import dev.cairn.model.ErrorCode;
import dev.cairn.model.Problem;
import dev.cairn.platform.database.Database;
import dev.cairn.platform.memory.WaitingRequests;
import dev.cairn.work.Worker;
import io.quarkus.arc.All;
import io.quarkus.runtime.StartupEvent;
import io.vertx.core.Vertx;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jboss.logging.Logger;

/**
 * Waits until indexes have reached a commit: {@code docs/search.md}, Waiting for the index. A
 * request that waits holds neither a connection nor a turn of a read; one query of this replica
 * looks for all of them.
 */
@Singleton
class IndexWait {
  private static final Logger LOG = Logger.getLogger(IndexWait.class);

  /** After this time a search continues with the index as it is. */
  static final Duration MAX_WAIT = Duration.ofSeconds(10);

  private static final long POLL_MILLIS = 50;

  /** How many searches of one account or network address may wait in a replica. */
  private static final int MAX_OF_CALLER = 8;

  /** How many of all accounts, and how many of all network addresses without credentials. */
  private static final int MAX_OF_KIND = 128;

  /** How many of these places are only for callers whose searches waited little recently. */
  private static final int RESERVED_PLACES = MAX_OF_KIND / 2;

  private final Database database;
  private final List<Worker<IndexAttempt, IndexKind.Result>> workers;
  private final AwaitedIndexes awaited;
  private final WaitingRequests requests;
  private final Vertx vertx;
  private final LookUpLimit limit;
  private final CallerLimiter waits =
      new CallerLimiter(MAX_OF_CALLER, MAX_OF_CALLER, MAX_OF_KIND, RESERVED_PLACES);
  private final Set<Waiting> waiting = ConcurrentHashMap.newKeySet();
  private final AtomicBoolean isLooking = new AtomicBoolean();

  /** Equality is identity: two requests may wait for the same. */
  private static final class Waiting {
    private final UUID repoId;
    private final Set<IndexPart> parts;
    private final long seq;
    private final CompletableFuture<Boolean> reached = new CompletableFuture<>();

    Waiting(UUID repoId, Set<IndexPart> parts, long seq) {
      this.repoId = repoId;
      this.parts = parts;
      this.seq = seq;
    }
  }

  IndexWait(
      Database database,
      @All List<Worker<IndexAttempt, IndexKind.Result>> workers,
      AwaitedIndexes awaited,
      WaitingRequests requests,
      LookUpLimit limit,
      Vertx vertx) {
    this.limit = limit;
    this.database = database;
    this.workers = workers;
    this.awaited = awaited;
    this.requests = requests;
    this.vertx = vertx;
  }

  void start(@Observes StartupEvent event) {
    vertx.setPeriodic(POLL_MILLIS, _ -> look());
  }

  /**
   * Waits until what a search reads of the index has reached the commit that it waits for, for up
   * to {@link #MAX_WAIT}. Must be called without a connection; what the caller may do must be
   * verified again after it.
   *
   * @throws Problem {@code VALIDATION_ERROR} if there is no such commit, {@code UNAVAILABLE} if too
   *     many wait
   */
  void await(RepositoryAccess access, SearchRequest request) {
    request.waitFor().ifPresent(seq -> await(access, request.mode().parts(), seq));
  }

  private void await(RepositoryAccess access, Set<IndexPart> parts, long seq) {
    if (seq > access.seq()) {
      throw Problem.invalid(
          "?wait",
          "`wait` must be the `repoSeq` of a commit; the newest one is %d."
              .formatted(access.seq()));
    }
    var one = new Waiting(access.repoId(), parts, seq);
    if (seq <= 0 || isReached(access, one)) {
      return;
    }
    waits.call(
        access.caller(),
        Duration.ZERO,
        () -> {
          waiting.add(one);
          awaited.add(one.repoId);
          try {
            workers.forEach(worker -> worker.wake(access.repoId()));
            return requests.untilGone(over -> await(one, over));
          } finally {
            awaited.remove(one.repoId);
            waiting.remove(one);
          }
        },
        () ->
            Problem.of(
                ErrorCode.UNAVAILABLE,
                "Too many searches wait for the index at this moment; leave `wait` out, or try"
                    + " again."));
  }

  private static boolean await(Waiting one, Runnable over) {
    try {
      boolean isReached = one.reached.get(MAX_WAIT.toMillis(), TimeUnit.MILLISECONDS);
      over.run();
      return isReached;
    } catch (TimeoutException _) {
      over.run();
      return false;
    } catch (ExecutionException e) {
      throw new IllegalStateException(e.getCause());
    } catch (InterruptedException _) {
      throw Problem.of(ErrorCode.UNAVAILABLE, "The wait for the index was cancelled.");
    }
  }

  /** Like the look-up that authorizes, it takes a turn if the caller has no credentials. */
  private boolean isReached(RepositoryAccess access, Waiting one) {
    return switch (access.caller()) {
      case Caller.SignedIn _ -> isReached(one);
      case Caller.Anonymous nobody -> limit.lookUp(nobody, () -> isReached(one));
    };
  }

  private boolean isReached(Waiting one) {
    completeReached(List.of(one));
    return one.reached.isDone();
  }

  private void look() {
    if (!waiting.isEmpty() && isLooking.compareAndSet(false, true)) {
      Thread.ofVirtual().name("search index wait").start(this::lookForAll);
    }
  }

  private void lookForAll() {
    try {
      completeReached(List.copyOf(waiting));
    } catch (RuntimeException e) {
      LOG.warnf("searches wait longer, since the index cannot be looked at: %s", e.getMessage());
    } finally {
      isLooking.set(false);
    }
  }

  private void completeReached(List<Waiting> all) {
    var reached = new HashMap<UUID, Map<IndexPart, Long>>();
    database.list(
        "select repo_id, part, indexed_seq from search_index where repo_id = any (?)",
        row ->
            reached
                .computeIfAbsent(row.getObject(1, UUID.class), _ -> new EnumMap<>(IndexPart.class))
                .put(IndexPart.of(row.getString(2)), row.getLong(3)),
        (Object) all.stream().map(one -> one.repoId).distinct().toArray(UUID[]::new));
    for (var one : all) {
      var parts = reached.getOrDefault(one.repoId, Map.of());
      if (one.parts.stream().allMatch(part -> parts.getOrDefault(part, 0L) >= one.seq)) {
        one.reached.complete(true);
      }
    }
  }
}
