package dev.cairn.search;

import dev.cairn.platform.CairnConfig;
import dev.cairn.work.JobKind;
import dev.cairn.work.Recording;
import dev.cairn.work.RetrySchedule;
import dev.cairn.work.Slots;
import dev.cairn.work.Step;
import dev.cairn.work.TargetQueue;
import dev.cairn.work.Worker;
import io.micrometer.core.instrument.MeterRegistry;
import jakarta.enterprise.inject.Produces;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Stream;
import org.jboss.logging.Logger;

/**
 * The search indexes as jobs: a search may wait for them. It is polled once a second, and not
 * notified by commits, so that commits which follow each other are indexed together. The rules are
 * in {@code docs/search.md}, The index.
 */
@Singleton
class IndexKind extends JobKind<IndexAttempt, IndexKind.Result> {
  static final String EXECUTOR = "search";

  private static final Logger LOG = Logger.getLogger(IndexKind.class);

  /** After this time an attempt ends, so that other repositories have their turn. */
  private static final Duration MAX_DURATION = Duration.ofSeconds(2);

  private static final RetrySchedule SCHEDULE =
      new RetrySchedule(Stream.of(0, 1, 5, 30, 120, 300).map(Duration::ofSeconds).toList());

  private final Indexer indexer;
  private final IndexQueue queue;

  /** The result of an attempt. */
  enum Result {
    DONE,
    FAILED,
    LOST
  }

  IndexKind(Indexer indexer, IndexQueue queue, CairnConfig config) {
    super(EXECUTOR, queue, config);
    this.indexer = indexer;
    this.queue = queue;
  }

  @Produces
  @Singleton
  Worker<IndexAttempt, Result> worker(MeterRegistry registry) {
    return worker(
        registry, "cairn.search.indexing", "Search indexes that this replica brings up to date");
  }

  @Override
  public String noun() {
    return "search index";
  }

  @Override
  public List<TargetQueue> ready(Optional<Set<UUID>> repos, Slots.Full full, int max) {
    queue.addReported();
    queue.lookAt(repos);
    return super.ready(repos, full, max);
  }

  @Override
  public Step<Result> begin(IndexAttempt item) throws InterruptedException {
    long end = System.nanoTime() + MAX_DURATION.toNanos();
    while (indexer.slice(item) && System.nanoTime() < end) {
      if (Thread.interrupted()) {
        throw new InterruptedException("the attempt is cancelled");
      }
    }
    return new Step.Ended<>(Result.DONE);
  }

  @Override
  public Result failed(IndexAttempt item, RuntimeException cause) {
    if (cause instanceof Indexer.LostException) {
      LOG.infof("%s: stopped, since another worker took it over", item);
      return Result.LOST;
    }
    LOG.errorf(cause, "%s failed", item);
    return Result.FAILED;
  }

  @Override
  public Recording end(IndexAttempt item, Result result) {
    return switch (result) {
      case DONE -> () -> queue.end(item);
      case FAILED -> {
        var delay = SCHEDULE.after(item.failures() + 1, null);
        yield () -> queue.fail(item, delay);
      }
      case LOST -> () -> {};
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
