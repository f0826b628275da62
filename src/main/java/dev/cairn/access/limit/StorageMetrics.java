package dev.cairn.access.limit;

import dev.cairn.access.limit.Quotas.Quota;
import dev.cairn.platform.database.Database;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.quarkus.runtime.Startup;
import io.quarkus.scheduler.Scheduled;
import io.quarkus.scheduler.Scheduled.ConcurrentExecution;
import io.smallrye.common.annotation.RunOnVirtualThread;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import java.time.Duration;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;
import org.jboss.logging.Logger;

/**
 * The metrics of stored bytes, and of how much of each quota is used. They are measured once a
 * minute while somebody reads metrics, and never by the read itself; {@code docs/monitoring.md},
 * Metrics.
 */
@Startup
@ApplicationScoped
public class StorageMetrics {
  private static final Logger LOG = Logger.getLogger(StorageMetrics.class);
  private static final Duration MAX_TIME = Duration.ofSeconds(5);

  /** After this long without a read, nothing is measured until the next one. */
  private static final long MAX_UNREAD_NANOS = Duration.ofMinutes(10).toNanos();

  private static final String IN_REPOSITORIES = "repositories";
  private static final String IN_EXPORTS = Quota.EXPORT_BYTES.setting();

  private static final Set<Quota> OF_BYTES =
      EnumSet.of(Quota.BYTES, Quota.EXPORT_BYTES, Quota.EXPORT_SHARE);

  /** Selects a row for each number of bytes, with its name. */
  private static final String BYTES =
      """
      with stored as (
        %s
        union all
        select r.org_id, c.bytes
        from (select repo_id, sum(bytes) as bytes from stored_bytes_change group by repo_id) c
        join repository r on r.id = c.repo_id)
      """
              .formatted(StoredBytes.OF_REPOSITORIES)
          + selectNumber(IN_REPOSITORIES, selectRounded("select sum(bytes) from stored"))
          + " union all "
          + selectNumbers(OF_BYTES);

  /** The same for each count of rows. */
  private static final String COUNTS =
      selectNumbers(EnumSet.complementOf(EnumSet.copyOf(OF_BYTES)));

  private final Database database;
  private final LongSupplier nanoTime;
  private volatile Map<String, Double> numbers = Map.of();

  /** By {@link #nanoTime}; null if nobody has read the metrics yet. */
  private volatile Long readAt;

  @Inject
  StorageMetrics(Database database, Quotas quotas, MeterRegistry registry) {
    this(database, quotas, registry, System::nanoTime);
  }

  StorageMetrics(Database database, Quotas quotas, MeterRegistry registry, LongSupplier nanoTime) {
    this.database = database.inBackground();
    this.nanoTime = nanoTime;
    registerStored(registry, "repositories", IN_REPOSITORIES);
    registerStored(registry, "exports", IN_EXPORTS);
    for (var quota : Quota.values()) {
      Gauge.builder("cairn.quotas.used", this, metrics -> metrics.read(quota.setting()))
          .tag("quota", quota.setting())
          .description("How much of a quota is used by the owner that uses the most of it")
          .strongReference(true)
          .register(registry);
      if (quotas.isOn(quota)) {
        Gauge.builder("cairn.quotas.limit", () -> quotas.limit(quota))
            .tag("quota", quota.setting())
            .description("What a quota allows; absent if it is off")
            .register(registry);
      }
    }
  }

  private void registerStored(MeterRegistry registry, String what, String name) {
    Gauge.builder("cairn.stored", this, metrics -> metrics.read(name))
        .tag("what", what)
        .description("Bytes that quotas count, over all organizations")
        .baseUnit("bytes")
        .strongReference(true)
        .register(registry);
  }

  private double read(String name) {
    readAt = nanoTime.getAsLong();
    return numbers.getOrDefault(name, Double.NaN);
  }

  /**
   * Measures, if somebody has read the metrics lately. If nobody has, or the database does not
   * answer, there are no numbers rather than old ones.
   */
  @Scheduled(every = "60s", delayed = "5s", concurrentExecution = ConcurrentExecution.SKIP)
  @RunOnVirtualThread
  public void sample() {
    var measured = new HashMap<String, Double>();
    var read = readAt;
    if (read != null && nanoTime.getAsLong() - read < MAX_UNREAD_NANOS) {
      measure(BYTES, measured);
      measure(COUNTS, measured);
    }
    numbers = measured;
  }

  /** By itself, so that what takes too long leaves the other numbers. */
  private void measure(String sql, Map<String, Double> measured) {
    try {
      Database.within(
          MAX_TIME,
          () -> database.list(sql, row -> measured.put(row.getString(1), row.getDouble(2))));
    } catch (RuntimeException e) {
      LOG.warnf("the usage of quotas cannot be measured: %s", e.getMessage());
    }
  }

  private static String selectNumbers(Set<Quota> quotas) {
    return quotas.stream()
        .map(quota -> selectNumber(quota.setting(), selectUsage(quota)))
        .collect(Collectors.joining(" union all "));
  }

  private static String selectNumber(String name, String sql) {
    return "select '%s', coalesce((%s), 0)::double precision".formatted(name, sql);
  }

  /**
   * SQL for what the owner that uses the most of a quota uses of it, or all together, if it is a
   * quota of the service. It reads tables that have a row for each account, repository,
   * subscription and the like, and none that grows with content or that has long texts: so the
   * bytes of an organization are without its credential sets, components and subscriptions.
   */
  private static String selectUsage(Quota quota) {
    return switch (quota) {
      case ORGANIZATIONS ->
          selectMost("count(*)", "organization where creator_id is not null", "creator_id");
      // Tokens that ended more than a day ago give way to new ones.
      case TOKENS ->
          selectMost(
              "count(*)",
              "personal_access_token where least(revoked_at, expires_at) >= now() - interval '1 day'",
              "account_id");
      case REPOSITORIES -> selectMost("count(*)", "repository", "org_id");
      case MEMBERS ->
          selectMost(
              "count(*)",
              "(select org_id from member union all select org_id from invitation) m",
              "org_id");
      case SUBSCRIPTIONS -> selectMost("count(*)", "subscription", "repo_id");
      case COMPONENTS ->
          selectMost("count(*)", "component where deregistered_at is null", "org_id");
      case BYTES ->
          selectRounded(
              selectMost(
                  "sum(bytes)",
                  """
                  (select org_id, bytes from stored
                   union all
                   select org_id, bytes from deleted_repository where bytes > 0
                   union all
                   select r.org_id, j.stored_bytes
                   from export_job j join repository r on r.id = j.repo_id
                   where j.stored_bytes > 0) b
                  """,
                  "org_id"));
      case EXPORTS_BUILDING ->
          selectMost(
              "count(*)",
              "export_job where state = 'pending' and expires_at > now()",
              "repo_id, account_id");
      case EXPORTS ->
          selectMost(
              "count(*)", "export_job where state <> 'failed' and expires_at > now()", "repo_id");
      case EXPORT_BYTES ->
          selectRounded("select sum(stored_bytes) from export_job where stored_bytes > 0");
      case EXPORT_SHARE ->
          selectRounded(
              "select greatest((%s), (%s))"
                  .formatted(
                      selectMost(
                          "sum(stored_bytes)",
                          "export_job where account_id is not null and stored_bytes > 0",
                          "account_id"),
                      selectMost(
                          "sum(j.stored_bytes)",
                          """
                          export_job j join repository r on r.id = j.repo_id
                          where j.stored_bytes > 0 and j.expires_at > now()
                          """,
                          "r.org_id")));
      case UNUSED_CLIENTS -> "select count(*) from oauth_client where used_at is null";
      case PENDING_DEVICES -> "select count(*) from oauth_device where account_id is null";
    };
  }

  private static String selectMost(String amount, String rows, String owner) {
    return "select max(amount) from (select %s as amount from %s group by %s) each_owner"
        .formatted(amount, rows, owner);
  }

  /** Up to the next MiB, since the exact number would tell how long a private commit is. */
  private static String selectRounded(String bytes) {
    return "select ceil((%s) / 1048576.0) * 1048576".formatted(bytes);
  }
}
