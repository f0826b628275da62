package dev.cairn.access.limit;

import dev.cairn.platform.database.Database;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.quarkus.runtime.Startup;
import io.quarkus.scheduler.Scheduled;
import io.quarkus.scheduler.Scheduled.ConcurrentExecution;
import io.smallrye.common.annotation.RunOnVirtualThread;
import jakarta.enterprise.context.ApplicationScoped;
import java.time.Duration;
import java.util.function.ToDoubleFunction;
import org.jboss.logging.Logger;

/**
 * The metrics of stored bytes, which are measured once a minute and not when the metrics are read;
 * {@code docs/monitoring.md}, Metrics.
 */
@Startup
@ApplicationScoped
public class StorageMetrics {
  private static final Logger LOG = Logger.getLogger(StorageMetrics.class);
  private static final double MEBIBYTE = 1 << 20;
  private static final Duration MAX_TIME = Duration.ofSeconds(2);

  private final Database database;
  private volatile Stored stored = new Stored(Double.NaN, Double.NaN, Double.NaN);

  private record Stored(double repositories, double exports, double largestOrganization) {}

  StorageMetrics(Database database, MeterRegistry registry) {
    this.database = database;
    gauge(registry, "repositories", Stored::repositories);
    gauge(registry, "exports", Stored::exports);
    Gauge.builder("cairn.stored.largest", this, m -> m.stored.largestOrganization())
        .description("Bytes of the organization whose repositories store most")
        .baseUnit("bytes")
        .strongReference(true)
        .register(registry);
  }

  private void gauge(MeterRegistry registry, String what, ToDoubleFunction<Stored> value) {
    Gauge.builder("cairn.stored", this, m -> value.applyAsDouble(m.stored))
        .tag("what", what)
        .description("Bytes that quotas count, over all organizations")
        .baseUnit("bytes")
        .strongReference(true)
        .register(registry);
  }

  /** Measures. If the database does not answer, there are no numbers. */
  @Scheduled(every = "60s", delayed = "5s", concurrentExecution = ConcurrentExecution.SKIP)
  @RunOnVirtualThread
  public void sample() {
    try {
      stored = Database.within(MAX_TIME, this::measured);
    } catch (RuntimeException e) {
      stored = new Stored(Double.NaN, Double.NaN, Double.NaN);
      LOG.warnf("the stored bytes cannot be measured: %s", e.getMessage());
    }
  }

  private Stored measured() {
    return database
        .first(
            """
            select coalesce(sum(o.bytes), 0), coalesce(max(o.bytes), 0),
                   (select coalesce(sum(stored_bytes), 0) from export_job where stored_bytes > 0)
            from (
              select sum(b.bytes) as bytes
              from (
                %s
                union all
                select r.org_id, c.bytes
                from (select repo_id, sum(bytes) as bytes from stored_bytes_change group by repo_id) c
                join repository r on r.id = c.repo_id) b
              group by b.org_id) o
            """
                .formatted(StoredBytes.OF_REPOSITORIES),
            row ->
                new Stored(
                    rounded(row.getDouble(1)),
                    rounded(row.getDouble(3)),
                    rounded(row.getDouble(2))))
        .orElseThrow();
  }

  /** Up to the next MiB, since the exact number would tell how long a private commit is. */
  private static double rounded(double bytes) {
    return Math.ceil(bytes / MEBIBYTE) * MEBIBYTE;
  }
}
