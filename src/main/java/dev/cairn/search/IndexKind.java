package dev.cairn.search;

import dev.cairn.platform.CairnConfig;
import dev.cairn.work.Recording;
import dev.cairn.work.RetrySchedule;
import dev.cairn.work.SlotLimits;
import dev.cairn.work.Slots;
import dev.cairn.work.Step;
import dev.cairn.work.TargetQueue;
import dev.cairn.work.WorkKind;
import dev.cairn.work.WorkTarget;
import dev.cairn.work.Worker;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import jakarta.enterprise.inject.Produces;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Stream;
import org.jboss.logging.Logger;

/**
 * The search indexes as a kind of leased work, which every replica does: a search may wait for it.
 * It is polled once a second, and not notified by commits, so that commits which follow each other
 * are indexed together. The rules are in {@code docs/search.md}, The index.
 */
@Singleton
class IndexKind implements WorkKind<IndexAttempt, IndexKind.Result> {
  static final String EXECUTOR = "search";

  private static final Logger LOG = Logger.getLogger(IndexKind.class);

  /** After this time an attempt ends, so that other repositories have their turn. */
  private static final Duration MAX_DURATION = Duration.ofSeconds(10);

  /** One slot for this many connections of the pool: an attempt takes one all the time. */
  private static final int CONNECTIONS_PER_SLOT = 8;

  private static final RetrySchedule SCHEDULE =
      new RetrySchedule(Stream.of(0, 1, 5, 30, 120, 300).map(Duration::ofSeconds).toList());

  private final Indexer indexer;
  private final IndexQueue queue;
  private final int slots;

  /** The result of an attempt. */
  enum Result {
    DONE,
    FAILED,
    LOST
  }

  IndexKind(Indexer indexer, IndexQueue queue, CairnConfig config) {
    this.indexer = indexer;
    this.queue = queue;
    this.slots = Math.max(1, config.database().poolSize() / CONNECTIONS_PER_SLOT);
  }

  @Produces
  @Singleton
  Worker<IndexAttempt, Result> worker(MeterRegistry registry) {
    var worker = new Worker<>(this);
    Gauge.builder("cairn.search.indexing", worker, Worker::activeAttempts)
        .description("Search indexes that this replica brings up to date")
        .register(registry);
    return worker;
  }

  @Override
  public String noun() {
    return "search index";
  }

  @Override
  public Map<String, SlotLimits> slots() {
    return Map.of(EXECUTOR, SlotLimits.ofJobs(slots));
  }

  /** No grace: what is done is stored, and another replica goes on. */
  @Override
  public Duration grace() {
    return Duration.ZERO;
  }

  @Override
  public boolean isClaimedByAll() {
    return true;
  }

  @Override
  public Optional<String> channel() {
    return Optional.empty();
  }

  @Override
  public List<TargetQueue> ready(Optional<Set<UUID>> repos, Slots.Full full, int max) {
    queue.addReported();
    var fullTenants = full.targets().stream().map(WorkTarget::tenantId).toList();
    return queue.ready(fullTenants, max).stream()
        .map(tenant -> TargetQueue.of(WorkTarget.ofTenant(tenant, EXECUTOR)))
        .toList();
  }

  @Override
  public List<IndexAttempt> claim(Collection<Slots.Grant> grants, UUID lease) {
    return queue.claim(
        grants.stream()
            .map(
                grant ->
                    new IndexQueue.Share(grant.queue().target().tenantId(), grant.slots().size()))
            .toList());
  }

  /** The attempt number serves as the lease id, since only one worker can begin an attempt. */
  @Override
  public Set<UUID> renew(Collection<IndexAttempt> items, UUID lease) {
    return queue.renew(items);
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
