package dev.cairn.export;

import dev.cairn.access.limit.Quotas.Quota;
import dev.cairn.platform.CairnConfig;
import dev.cairn.platform.database.Database;
import dev.cairn.work.JobKind;
import dev.cairn.work.Recording;
import dev.cairn.work.RetrySchedule;
import dev.cairn.work.Step;
import dev.cairn.work.Worker;
import io.micrometer.core.instrument.MeterRegistry;
import jakarta.enterprise.inject.Produces;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.stream.Stream;
import org.jboss.logging.Logger;

/**
 * Exports as a kind of leased work, which every replica does. One account has at most half of the
 * slots of a replica. The rules are in {@code docs/export.md}, Jobs.
 */
@Singleton
class ExportKind extends JobKind<ExportAttempt, BuildResult> {
  static final String EXECUTOR = "export";

  private static final Logger LOG = Logger.getLogger(ExportKind.class);

  /** Maximum duration of an attempt; ten million entities take about five minutes. */
  private static final Duration MAX_DURATION = Duration.ofMinutes(30);

  /** Without jitter: each delay is shorter than a lease, and jobs do not fail together. */
  private static final RetrySchedule SCHEDULE =
      new RetrySchedule(
          Stream.of(0, 10, 20, 30, 40, 50).map(Duration::ofSeconds).toList(), () -> 0);

  private final Database database;
  private final ExportQueue queue;
  private final ExportQueries queries;
  private final ExportMetrics metrics;
  private final ExportBytes bytes;
  private final ExportExpiry expiry;

  ExportKind(
      Database database,
      ExportQueue queue,
      ExportQueries queries,
      ExportMetrics metrics,
      ExportBytes bytes,
      ExportExpiry expiry,
      CairnConfig config) {
    super(EXECUTOR, queue, config);
    this.database = database;
    this.queue = queue;
    this.queries = queries;
    this.metrics = metrics;
    this.bytes = bytes;
    this.expiry = expiry;
  }

  @Produces
  @Singleton
  Worker<ExportAttempt, BuildResult> worker(MeterRegistry registry) {
    return worker(
        registry, "cairn.exports.building", "Exports that are being built in this replica");
  }

  @Override
  public String noun() {
    return "export";
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
            more -> bytes.requireRoom(item.repoId(), item.accountId(), more),
            expiry::makeDue);
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
        LOG.infof("%s: stopped, since it gave way, or another worker took it over", item);
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
