package dev.cairn.export;

import dev.cairn.access.limit.Quotas.Quota;
import dev.cairn.platform.CairnConfig;
import dev.cairn.platform.database.Database;
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
 * Exports as a kind of leased work, which every replica does. One account has at most half of the
 * slots of a replica. The rules are in {@code docs/export.md}, Jobs.
 */
@Singleton
class ExportKind implements WorkKind<ExportAttempt, BuildResult> {
  static final String EXECUTOR = "export";

  private static final Logger LOG = Logger.getLogger(ExportKind.class);

  /** Maximum duration of an attempt; ten million entities take about five minutes. */
  private static final Duration MAX_DURATION = Duration.ofMinutes(30);

  /**
   * One slot for this many connections of the pool: an attempt takes up to two, and most must stay
   * free.
   */
  private static final int CONNECTIONS_PER_SLOT = 8;

  /** Without jitter: each delay is shorter than a lease, and jobs do not fail together. */
  private static final RetrySchedule SCHEDULE =
      new RetrySchedule(
          Stream.of(0, 10, 20, 30, 40, 50).map(Duration::ofSeconds).toList(), () -> 0);

  private final Database database;
  private final ExportQueue queue;
  private final ExportQueries queries;
  private final ExportMetrics metrics;
  private final ExportBytes bytes;
  private final int slots;

  ExportKind(
      Database database,
      ExportQueue queue,
      ExportQueries queries,
      ExportMetrics metrics,
      ExportBytes bytes,
      CairnConfig config) {
    this.database = database;
    this.queue = queue;
    this.queries = queries;
    this.metrics = metrics;
    this.bytes = bytes;
    this.slots = Math.max(1, config.database().poolSize() / CONNECTIONS_PER_SLOT);
  }

  @Produces
  @Singleton
  Worker<ExportAttempt, BuildResult> worker(MeterRegistry registry) {
    var worker = new Worker<>(this);
    Gauge.builder("cairn.exports.building", worker, Worker::activeAttempts)
        .description("Exports that are being built in this replica")
        .register(registry);
    return worker;
  }

  @Override
  public String noun() {
    return "export";
  }

  @Override
  public Map<String, SlotLimits> slots() {
    return Map.of(EXECUTOR, SlotLimits.ofJobs(slots));
  }

  /** No grace: a long export is better restarted by another replica. */
  @Override
  public Duration grace() {
    return Duration.ZERO;
  }

  @Override
  public boolean isClaimedByAll() {
    return true;
  }

  /** None: the replica that receives the request wakes its worker, and the others poll. */
  @Override
  public Optional<String> channel() {
    return Optional.empty();
  }

  @Override
  public List<TargetQueue> ready(Optional<Set<UUID>> repos, Slots.Full full, int max) {
    var fullAccounts = full.targets().stream().map(WorkTarget::tenantId).toList();
    return queue.ready(fullAccounts, max).stream()
        .map(account -> TargetQueue.of(WorkTarget.ofTenant(account, EXECUTOR)))
        .toList();
  }

  @Override
  public List<ExportAttempt> claim(Collection<Slots.Grant> grants, UUID lease) {
    return queue.claim(
        grants.stream()
            .map(
                grant ->
                    new ExportQueue.Share(grant.queue().target().tenantId(), grant.slots().size()))
            .toList());
  }

  /** The attempt number serves as the lease id, since only one worker can begin an attempt. */
  @Override
  public Set<UUID> renew(Collection<ExportAttempt> items, UUID lease) {
    return queue.renew(items);
  }

  @Override
  public Step<BuildResult> begin(ExportAttempt item) {
    long start = System.nanoTime();
    var chunks =
        new Chunks(
            database,
            item.repoId(),
            item.id(),
            item.number(),
            more -> bytes.requireRoom(item.repoId(), item.accountId(), more));
    chunks.deleteOthers();
    long records =
        database.inReadOnlySnapshot(
            MAX_DURATION, () -> NdjsonWriter.write(queries.at(item.repoId(), item.seq()), chunks));
    chunks.close();
    var took = Duration.ofNanos(System.nanoTime() - start);
    return new Step.Ended<>(new BuildResult.Built(records, chunks.size(), chunks.sha256(), took));
  }

  @Override
  public BuildResult failed(ExportAttempt item, RuntimeException cause) {
    return switch (cause) {
      case Chunks.LostException _ -> {
        LOG.infof("%s: stopped, since another worker took it over", item);
        yield new BuildResult.Lost();
      }
      case ExportBytes.FullException full -> {
        metrics.failed();
        LOG.warnf(
            "%s: given up, since cairn.quotas.%s leaves no room for it",
            item, full.quota().setting());
        yield new BuildResult.Full(full.quota());
      }
      default -> {
        metrics.failed();
        LOG.errorf(cause, "%s failed", item);
        yield new BuildResult.Failed();
      }
    };
  }

  @Override
  public Recording end(ExportAttempt item, BuildResult result) {
    return switch (result) {
      case BuildResult.Built built -> () -> complete(item, built);
      case BuildResult.Failed _ -> {
        var delay = SCHEDULE.after(item.number(), null);
        yield () -> queue.giveBack(item, delay, true);
      }
      case BuildResult.Full(var quota) -> {
        var failure = quota == Quota.EXPORT_BYTES ? "exports_full" : "export_share_full";
        yield () -> queue.giveUp(item, failure);
      }
      case BuildResult.Lost _ -> () -> {};
    };
  }

  private void complete(ExportAttempt item, BuildResult.Built built) {
    if (queue.complete(item, built)) {
      metrics.built(built.bytes());
      LOG.infof(
          "%s: %d records, %d bytes in %d ms",
          item, built.records(), built.bytes(), built.took().toMillis());
    }
  }

  @Override
  public void giveBack(ExportAttempt item) {
    queue.giveBack(item, Duration.ZERO, false);
  }

  @Override
  public int rescue() {
    int given = queue.giveUpOverdue();
    if (given > 0) {
      LOG.errorf(
          "%d exports were given up, each after %d failed attempts, or 2 whose process died",
          given, ExportQueue.MAX_ATTEMPTS);
    }
    return given;
  }
}
