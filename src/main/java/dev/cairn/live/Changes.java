package dev.cairn.live;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import dev.cairn.access.Caller;
import dev.cairn.access.limit.CallerLimiter;
import dev.cairn.access.limit.ReadBounds;
import dev.cairn.content.read.StoredChanges;
import dev.cairn.model.ErrorCode;
import dev.cairn.model.MatchingBudget;
import dev.cairn.model.Problem;
import dev.cairn.platform.database.Database;
import dev.cairn.platform.database.DatabaseException;
import dev.cairn.platform.memory.HeapShare;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Supplier;
import org.jboss.logging.Logger;

/**
 * What commits changed, read from the log. All who follow a repository are at the same position
 * most of the time, so that a commit is read once for all of them.
 */
@Singleton
class Changes {
  private static final Logger LOG = Logger.getLogger(Changes.class);

  private static final Duration TIME_LIMIT = Duration.ofSeconds(10);
  private static final Duration MAX_WAIT = Duration.ofSeconds(5);

  /** How many changes are read at a time. */
  private static final int BATCH = 100;

  private static final int BYTES_OF_KEY = 100;

  private final StoredChanges stored;
  private final ReadBounds bounds;

  /**
   * Finds out which entities each of those is told of who are not told of all, and which queries
   * they concern; one commit at a time for each caller: it may take a while for patterns and
   * narrowed tokens.
   */
  private final CallerLimiter examining;

  private final SharedReads<Position, List<Change>> read;

  /** Before the first commit after a sequence number. */
  private record Position(UUID repoId, long seq) {}

  Changes(StoredChanges stored, ReadBounds bounds) {
    this.stored = stored;
    this.bounds = bounds;
    int atOnce = Math.max(2, Runtime.getRuntime().availableProcessors());
    this.examining = new CallerLimiter(1, Integer.MAX_VALUE, atOnce, atOnce / 2);
    Cache<Position, List<Change>> cache =
        Caffeine.newBuilder()
            .maximumWeight(HeapShare.LIVE_CHANGES.bytes())
            .<Position, List<Change>>weigher(
                (_, changes) -> BYTES_OF_KEY + changes.stream().mapToInt(Change::bytes).sum())
            .build();
    this.read = new SharedReads<>(cache, this::next, changes -> !changes.isEmpty());
  }

  /**
   * The next changes, oldest first.
   *
   * @param seq that of the commit before them
   * @return empty if there is no newer commit
   * @throws Problem {@code UNAVAILABLE} if too much is read at this moment
   */
  List<Change> after(UUID repoId, long seq) {
    return read.get(new Position(repoId, seq));
  }

  private List<Change> next(Position position) {
    return inTurn(
        position.repoId(),
        () ->
            stored.after(position.repoId(), position.seq(), BATCH).stream()
                .map(Change::of)
                .toList());
  }

  private <T> T inTurn(UUID repoId, Supplier<T> query) {
    return bounds.amongAll(repoId, () -> Database.within(TIME_LIMIT, query), Changes::busy);
  }

  /**
   * A change with what a client is told of it; empty if that is nothing. If it takes too long to
   * find out, the client is told of the commit alone.
   */
  Optional<Change> selected(Change change, Selection selection) {
    if (selection.isOfAll()) {
      return Optional.of(change);
    }
    try {
      var names = names(selection, change);
      return names.isEmpty() ? Optional.empty() : Optional.of(change.with(names));
    } catch (DatabaseException e) {
      LOG.infof("the names of a commit are not looked for any longer: %s", e.getMessage());
      return Optional.of(change.withoutNames());
    }
  }

  private List<String> names(Selection selection, Change change) {
    return examining.call(
        selection.caller(), MAX_WAIT, () -> names(change, selection), Changes::busy);
  }

  /**
   * Examines the names of a commit, when it is the turn of a caller.
   *
   * @throws Problem {@code UNAVAILABLE} if that does not come in time
   */
  void examine(Caller caller, Runnable examination) {
    examining.call(
        caller,
        MAX_WAIT,
        () -> {
          examination.run();
          return null;
        },
        Changes::busy);
  }

  private List<String> names(Change change, Selection selection) {
    if (!change.isTruncated()) {
      var budget = MatchingBudget.ofRead();
      try {
        return change.wrefs().stream().filter(wref -> selection.includes(wref, budget)).toList();
      } catch (Problem _) {
        // The database compiles all patterns into one expression.
      }
    }
    return inTurn(selection.repoId(), () -> selection.names(stored, change.seq()));
  }

  private static Problem busy() {
    return Problem.of(ErrorCode.UNAVAILABLE, "Too many changes are read at this moment.");
  }
}
