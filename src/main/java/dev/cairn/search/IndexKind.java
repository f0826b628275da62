package dev.cairn.search;

import dev.cairn.content.ChangedEntities;
import dev.cairn.platform.CairnConfig;
import dev.cairn.platform.Deadline;
import dev.cairn.platform.database.Database;
import dev.cairn.work.CountedQueue;
import dev.cairn.work.JobKind;
import dev.cairn.work.Recording;
import dev.cairn.work.RetrySchedule;
import dev.cairn.work.Slots;
import dev.cairn.work.Step;
import dev.cairn.work.TargetQueue;
import dev.cairn.work.Worker;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Stream;
import org.jboss.logging.Logger;

/**
 * A part of the search indexes as jobs: a search may wait for them. It is polled once a second, and
 * not notified by commits, so that commits which follow each other are indexed together. The rules
 * are in {@code docs/search.md}, The index.
 */
abstract class IndexKind extends JobKind<IndexAttempt, IndexKind.Result> {
  private static final Logger LOG = Logger.getLogger(IndexKind.class);

  /** An attempt begins no slice after this time, so that other repositories have their turn. */
  private static final Duration MAX_DURATION = Duration.ofMillis(500);

  private static final RetrySchedule SCHEDULE =
      new RetrySchedule(Stream.of(0, 1, 5, 30, 120, 300).map(Duration::ofSeconds).toList());

  private final IndexPart part;
  private final AwaitedIndexes awaited;
  private final IndexStates states;
  private final IndexQueue queue;
  private final Indexer indexer;
  private final Worker<IndexAttempt, Result> worker;

  /** Guarded by the lock of the worker for claims. */
  private boolean isTurnOfAwaited;

  /** The result of an attempt. */
  sealed interface Result {
    /** It came as far as it could. */
    record Done() implements Result {}

    /**
     * It failed.
     *
     * @param retryAfter the delay that an embedder requires; null if none is required
     */
    record Failed(Duration retryAfter) implements Result {}

    /** Another worker has taken the index over. */
    record Lost() implements Result {}
  }

  /**
   * A kind.
   *
   * @param gauge the metric that counts its attempts
   */
  IndexKind(
      Database database,
      ChangedEntities entities,
      IndexStates states,
      AwaitedIndexes awaited,
      PartWriter writer,
      CairnConfig config,
      MeterRegistry registry,
      String gauge) {
    var part = writer.part();
    var queue = new IndexQueue(database, writer);
    super(part.queue(), queue, config);
    this.part = part;
    this.states = states;
    this.awaited = awaited;
    this.queue = queue;
    this.indexer = new Indexer(database, entities, queue, writer);
    this.worker =
        worker(
            registry,
            gauge,
            "Search indexes whose %s this replica brings up to date".formatted(part.text()));
  }

  CountedQueue queue() {
    return queue;
  }

  Worker<IndexAttempt, Result> worker() {
    return worker;
  }

  @Override
  public String noun() {
    return "index of " + part.text();
  }

  /** Every other time, the indexes that searches wait for come first. */
  @Override
  public List<TargetQueue> ready(Optional<Set<UUID>> repos, Slots.Full full, int max) {
    states.addReported();
    if (repos.isPresent()) {
      return readyOf(repos.map(awaited::inTurn), full, max);
    }
    var waitedFor = awaited.repositories();
    isTurnOfAwaited = !isTurnOfAwaited && !waitedFor.isEmpty();
    var first =
        isTurnOfAwaited ? readyOf(Optional.of(waitedFor), full, max) : List.<TargetQueue>of();
    return first.isEmpty() ? readyOf(Optional.empty(), full, max) : first;
  }

  private List<TargetQueue> readyOf(Optional<List<UUID>> repos, Slots.Full full, int max) {
    queue.lookAt(repos);
    return super.ready(Optional.empty(), full, max);
  }

  @Override
  public Step<Result> begin(IndexAttempt item) throws InterruptedException {
    long begun = System.nanoTime();
    var deadline = Deadline.in(MAX_DURATION);
    try {
      while (indexer.slice(item) && !deadline.hasPassed()) {
        if (Thread.interrupted()) {
          throw new InterruptedException("the attempt is cancelled");
        }
      }
    } finally {
      awaited.recordUse(item, System.nanoTime() - begun);
    }
    return new Step.Ended<>(new Result.Done());
  }

  @Override
  public Result failed(IndexAttempt item, RuntimeException cause) {
    return switch (cause) {
      case Indexer.LostException _ -> {
        LOG.infof("%s: stopped, since another worker took it over", item);
        yield new Result.Lost();
      }
      case EmbedderException e -> {
        LOG.warnf("%s: %s", item, e.getMessage());
        yield new Result.Failed(e.retryAfter().orElse(null));
      }
      default -> {
        LOG.errorf(cause, "%s failed", item);
        yield new Result.Failed(null);
      }
    };
  }

  @Override
  public Recording end(IndexAttempt item, Result result) {
    return switch (result) {
      case Result.Done _ -> () -> queue.end(item);
      case Result.Failed failed -> {
        var delay = SCHEDULE.after(item.failures() + 1, failed.retryAfter());
        yield () -> queue.fail(item, delay);
      }
      case Result.Lost _ -> () -> {};
    };
  }

  @Override
  public void giveBack(IndexAttempt item) {
    queue.end(item);
  }

  /** An index whose lease has ended is due, and is claimed like any other. */
  @Override
  public int rescue() {
    return 0;
  }
}
