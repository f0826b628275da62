package dev.cairn.export;

import static java.util.stream.Collectors.counting;
import static java.util.stream.Collectors.groupingBy;

import dev.cairn.access.Quotas.Quota;
import dev.cairn.platform.CairnConfig;
import dev.cairn.platform.Database;
import dev.cairn.platform.LogIds;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.quarkus.runtime.ShutdownEvent;
import io.quarkus.scheduler.Scheduled;
import io.smallrye.common.annotation.RunOnVirtualThread;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.jboss.logging.Logger;

/**
 * Builds the exports that were asked for, at this replica or another one. A job is leased: {@code
 * due_at} lies ahead while a worker has it, is moved on while that one lives, and when it has come,
 * the next worker takes the job and begins anew. The account for which the fewest exports are built
 * comes first, and has at most half of the builders of a replica.
 */
@ApplicationScoped
class ExportWorker {
  /** How often a job is begun, at the most, but for what the end of the service cut short. */
  static final int MOST_ATTEMPTS = 5;

  /**
   * How much an attempt counts whose end was not recorded, because it ended with the process or its
   * replica lost the database: the job itself may be the cause, so it is not repeated more than
   * once. Each attempt counts as much until it ends.
   */
  static final int LOST = 3;

  private static final Logger LOG = Logger.getLogger(ExportWorker.class);
  private static final int LEASE_SECONDS = 60;
  private static final int PAUSE_SECONDS = 10;
  private static final int STOP_SECONDS = 3;

  /** How long an attempt may take; ten million entities take about five minutes. */
  private static final Duration MOST = Duration.ofMinutes(30);

  private final Database database;
  private final Contents contents;
  private final ExportMetrics metrics;
  private final ExportBytes bytes;
  private final int builders;
  private final int mostOfAccount;
  private final Semaphore free;
  private final Set<Build> running = ConcurrentHashMap.newKeySet();
  private volatile boolean stopping;
  private volatile boolean wanted;

  /** An attempt at a job. */
  private record Claim(UUID repoId, UUID id, int attempt, long seq, UUID accountId) {
    Map<String, Object> logIds() {
      return Map.of("repoId", repoId, "exportId", id, "attempt", attempt);
    }

    @Override
    public String toString() {
      return "export %s, attempt %d".formatted(id, attempt);
    }
  }

  /** The attempt that a thread works on. */
  private static final class Build {
    private final Claim claim;
    private volatile boolean ended;

    Build(Claim claim) {
      this.claim = claim;
    }
  }

  ExportWorker(
      Database database,
      Contents contents,
      ExportMetrics metrics,
      ExportBytes bytes,
      CairnConfig config,
      MeterRegistry registry) {
    this.database = database;
    this.contents = contents;
    this.metrics = metrics;
    this.bytes = bytes;
    // Each takes up to two connections.
    this.builders = Math.max(1, config.database().poolSize() / 8);
    this.mostOfAccount = (builders + 1) / 2;
    this.free = new Semaphore(builders);
    Gauge.builder("cairn.exports.building", running, Set::size)
        .description("Exports that are built in this replica at this moment")
        .register(registry);
  }

  /** Looks for work at once, since there is some. */
  void wake() {
    Thread.ofVirtual().name("export").start(this::work);
  }

  /** Keeps what is being built, and looks for what other replicas left. */
  @Scheduled(every = "5s")
  @RunOnVirtualThread
  void poll() {
    running.forEach(this::renew);
    int given = giveUp("null", "due_at <= now() and attempt - uncounted >= ?", MOST_ATTEMPTS);
    if (given > 0) {
      LOG.errorf(
          "%d exports were given up, each after %d attempts that failed or 2 that ended with the"
              + " process",
          given, MOST_ATTEMPTS);
    }
    wake();
  }

  /**
   * Gives up pending jobs, and deletes what was built of them.
   *
   * @param failure what {@code failure} becomes, as an expression of SQL
   * @param condition on {@code export_job}, in SQL
   * @return how many
   */
  private int giveUp(String failure, String condition, Object... parameters) {
    return database
        .first(
            """
            with failed as (
              update export_job set state = 'failed', failure = %s, stored_bytes = 0
              where state = 'pending' and %s
              returning repo_id, id),
            gone as (
              delete from export_chunk c using failed f
              where c.repo_id = f.repo_id and c.job_id = f.id)
            select count(*) from failed
            """
                .formatted(failure, condition),
            row -> row.getInt(1),
            parameters)
        .orElseThrow();
  }

  /** Gives back what is being built, so that another replica takes it at once. */
  void stop(@Observes ShutdownEvent event) throws InterruptedException {
    stopping = true;
    if (!free.tryAcquire(builders, STOP_SECONDS, TimeUnit.SECONDS)) {
      LOG.warn("an export that is being built does not stop; another worker takes it");
      running.forEach(build -> giveBack(build.claim, 0, 1));
    }
  }

  /** Whoever finds no room leaves word, and who makes room looks for that afterwards. */
  private void work() {
    wanted = true;
    while (wanted && !stopping && free.tryAcquire()) {
      try {
        wanted = false;
        buildAll();
      } finally {
        free.release();
      }
    }
  }

  private void buildAll() {
    while (!stopping) {
      var build = next();
      if (build.isEmpty()) {
        return;
      }
      try (var _ = LogIds.of(build.get().claim.logIds())) {
        build(build.get());
      }
    }
  }

  /** One at a time, so that none counts too few of an account that are built here. */
  private synchronized Optional<Build> next() {
    var build = claim().map(Build::new);
    build.ifPresent(running::add);
    return build;
  }

  /** The accounts of which this replica builds no more at this moment. */
  private UUID[] fullAccounts() {
    return running.stream()
        .filter(build -> !build.ended)
        .collect(groupingBy(build -> build.claim.accountId(), counting()))
        .entrySet()
        .stream()
        .filter(account -> account.getValue() >= mostOfAccount)
        .map(Map.Entry::getKey)
        .toArray(UUID[]::new);
  }

  /** Takes the oldest job of those accounts for which the fewest are built, by all replicas. */
  private Optional<Claim> claim() {
    return database.first(
        """
        with building as (
          select account_id, count(*) as jobs from export_job
          where state = 'pending' and due_at > now()
          group by account_id)
        update export_job j
        set attempt = j.attempt + 1, uncounted = j.uncounted - ?,
            due_at = now() + make_interval(secs => ?)
        from (
          select d.repo_id, d.id from export_job d left join building b using (account_id)
          where d.state = 'pending' and d.due_at <= now() and d.attempt - d.uncounted < ?
            and d.account_id <> all (?)
          order by coalesce(b.jobs, 0), d.due_at limit 1
          for update of d skip locked) n
        where j.repo_id = n.repo_id and j.id = n.id
        returning j.repo_id, j.id, j.attempt, j.at_seq, j.account_id
        """,
        row ->
            new Claim(
                row.getObject(1, UUID.class),
                row.getObject(2, UUID.class),
                row.getInt(3),
                row.getLong(4),
                row.getObject(5, UUID.class)),
        LOST - 1,
        LEASE_SECONDS,
        MOST_ATTEMPTS,
        fullAccounts());
  }

  private void renew(Build build) {
    int kept =
        database.update(
            """
            update export_job set due_at = now() + make_interval(secs => ?)
            where repo_id = ? and id = ? and state = 'pending' and attempt = ? and due_at > now()
            """,
            LEASE_SECONDS,
            build.claim.repoId(),
            build.claim.id(),
            build.claim.attempt());
    build.ended = kept == 0;
  }

  private void build(Build build) {
    var claim = build.claim;
    long start = System.nanoTime();
    try {
      var chunks =
          new Chunks(
              database,
              claim.repoId(),
              claim.id(),
              claim.attempt(),
              more -> bytes.requireRoom(claim.repoId(), claim.accountId(), more),
              () -> isOver(build));
      chunks.deleteOthers();
      long count =
          database.reading(
              MOST, () -> Lines.write(contents.at(claim.repoId(), claim.seq()), chunks));
      chunks.close();
      if (complete(claim, count, chunks)) {
        metrics.built(chunks.size());
        LOG.infof(
            "%s: %d records, %d bytes in %d ms",
            claim, count, chunks.size(), TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - start));
      }
    } catch (RuntimeException e) {
      leave(claim, e);
    } finally {
      running.remove(build);
    }
  }

  /** Whatever ends an attempt while the service stops is not its fault. */
  private void leave(Claim claim, RuntimeException cause) {
    if (stopping) {
      giveBack(claim, 0, 1);
      LOG.infof("%s: given back, since the service stops", claim);
    } else if (cause instanceof Chunks.LostException) {
      LOG.infof("%s: ended, since it was taken over", claim);
    } else if (cause instanceof ExportBytes.FullException full) {
      metrics.failed();
      LOG.warnf(
          "%s: given up, since cairn.quotas.%s leaves no room for it",
          claim, full.quota().setting());
      giveUp(
          full.quota() == Quota.EXPORT_BYTES ? "'exports_full'" : "'export_share_full'",
          "repo_id = ? and id = ? and attempt = ?",
          claim.repoId(),
          claim.id(),
          claim.attempt());
    } else {
      metrics.failed();
      LOG.errorf(cause, "%s failed", claim);
      giveBack(claim, PAUSE_SECONDS * claim.attempt(), 0);
    }
  }

  private boolean isOver(Build build) {
    return stopping || build.ended;
  }

  private boolean complete(Claim claim, long count, Chunks chunks) {
    return database.update(
            """
            update export_job
            set state = 'complete', record_count = ?, byte_count = ?, content_sha256 = ?
            where repo_id = ? and id = ? and state = 'pending' and attempt = ?
            """,
            count,
            chunks.size(),
            chunks.sha256(),
            claim.repoId(),
            claim.id(),
            claim.attempt())
        > 0;
  }

  /**
   * Leaves the job to the next attempt, if it is still this one's.
   *
   * @param uncounted 1 where this attempt is to be none of the {@link #MOST_ATTEMPTS}, else 0
   */
  private void giveBack(Claim claim, int pauseSeconds, int uncounted) {
    database.update(
        """
        update export_job
        set due_at = now() + make_interval(secs => ?), uncounted = uncounted + ?
        where repo_id = ? and id = ? and state = 'pending' and attempt = ? and due_at > now()
        """,
        pauseSeconds,
        LOST - 1 + uncounted,
        claim.repoId(),
        claim.id(),
        claim.attempt());
  }
}
