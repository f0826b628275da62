package dev.cairn.action;

import static dev.cairn.access.Permission.REPO_CONFIGURE;

import dev.cairn.access.Recheck;
import dev.cairn.access.RepositoryAccess;
import dev.cairn.access.audit.AuditLog;
import dev.cairn.access.limit.ChangeLimiter;
import dev.cairn.access.limit.ChangeRateLimit;
import dev.cairn.access.limit.StoredBytes;
import dev.cairn.model.ErrorCode;
import dev.cairn.model.Problem;
import dev.cairn.platform.CairnConfig;
import dev.cairn.platform.database.Database;
import dev.cairn.platform.database.Rows;
import dev.cairn.subscription.SubscriptionAccess;
import dev.cairn.subscription.SubscriptionDeleted;
import dev.cairn.subscription.SubscriptionReads;
import dev.cairn.work.RetrySchedule;
import io.quarkus.runtime.annotations.RegisterForReflection;
import io.quarkus.scheduler.Scheduled;
import io.quarkus.scheduler.Scheduled.ConcurrentExecution;
import io.smallrye.common.annotation.RunOnVirtualThread;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;
import jakarta.enterprise.event.TransactionPhase;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.locks.ReentrantLock;
import org.jboss.logging.Logger;

/** Retries failed runs, and ends those of deleted subscriptions; {@code docs/actions.md}. */
@ApplicationScoped
public class Recovery {
  private static final Logger LOG = Logger.getLogger(Recovery.class);

  /** How often a run is retried by hand: all of its attempts are listed in one answer. */
  static final int MAX_BROUGHT_BACK = 100;

  /** A failed run waits again, for one attempt more than so far. */
  private static final String AGAIN =
      """
      with again as (
        update action_run r
        set status = 'retry_wait', urgent = true, due_at = now(), ended_at = null,
            max_attempts = r.max_attempts + 1, brought_back = r.brought_back + 1,
            updated_at = date_trunc('milliseconds', now())
        where r.repo_id = ? and r.status in ('failed_terminal', 'dead_letter')
          and r.brought_back < %d and %s
        returning r.repo_id)
      select count(*), (select pg_notify('cairn_runs', repo_id::text) from again limit 1) from again
      """;

  private static final String ONE = AGAIN.formatted(MAX_BROUGHT_BACK, "r.id = ?");
  private static final String SINCE =
      AGAIN.formatted(MAX_BROUGHT_BACK, "r.created_at >= ? and r.subscription_id = ?");

  private static final int END_BATCH = 1000;
  private static final QueuePosition START = new QueuePosition("", false, Instant.EPOCH);

  /**
   * Ends the first runs of a subscription that wait, in the order of their queues. Returns how many
   * it found, how many of these it ended, and the position of the last one if there may be more.
   * They are locked first, and then changed. Runs that others have locked are skipped: a worker
   * begins them, or another replica ends them. A run that changed after the statement began is
   * locked, but its new row is not visible to the statement: it is found and not ended.
   */
  static final String END =
      """
      with waiting as materialized (
        select tableoid as place, ctid as row, target, urgent, due_at,
               octet_length(concat(last_error_message)) as message_before
        from action_run
        where status in ('pending', 'retry_wait') and repo_id = ?
          and (target, urgent, due_at) >= (?, ?, ?) and subscription_id = ?
        order by target, urgent, due_at limit ?
        for update skip locked),
      ended as (
        update action_run r
        set status = 'failed_terminal', due_at = null, ended_at = now(),
            updated_at = date_trunc('milliseconds', now()), last_error_code = ?,
            last_error_message = ?
        from waiting w
        where r.ctid = w.row and r.tableoid = w.place
        returning r.repo_id, r.id, r.subscription_name, r.commit_id, r.source_repo_id, r.trace_id,
                  r.depth, r.executor_kind, r.attempt_count, r.last_error_code, r.last_error_message,
                  octet_length(r.last_error_message) - w.message_before as bytes),
      texts as (select repo_id, bytes from ended),
      ending as (
        select repo_id, id as run_id, subscription_name, commit_id, source_repo_id, trace_id, depth,
               attempt_count as attempt, 'failed' as outcome, last_error_code as code,
               last_error_message as message
        from ended),
      """
          + Notices.INSERT
          + """
          select (select count(*) from waiting) as found, (select count(*) from ended) as ended,
                 (select executor_kind from ended limit 1) as executor, w.target, w.urgent, w.due_at
          from (select) one
          left join (
            select target, urgent, due_at from waiting
            order by target, urgent, due_at offset ?) w on true
          """;

  /**
   * The deleted subscriptions that have runs that wait. The ids of these runs are collected first,
   * so that each subscription is looked up once.
   */
  static final String GONE =
      """
      with waiting as materialized (
        select repo_id, subscription_id from action_run r
        where status in ('pending', 'retry_wait') and r\
      """
          + Notices.IS_RUN
          + """
          )
          select w.repo_id, w.subscription_id
          from (select distinct repo_id, subscription_id from waiting) w
          left join lateral (
            select x.id from subscription x
            where x.repo_id = w.repo_id and x.id = w.subscription_id offset 0) s on true
          where s.id is null and exists (select from repository r where r.id = w.repo_id)
          limit ?
          """;

  private static final int GONE_BATCH = 100;

  /** The generation of an attempt of which no callback is accepted. */
  private static final int NO_GENERATION = -1;

  private static final String END_CALLBACKS =
      """
      update action_attempt a set callback_generation = ?
      from action_run r
      where r.status = 'running' and r.repo_id = ? and r.subscription_id = ?
        and a.repo_id = r.repo_id and a.run_id = r.id and a.attempt = r.attempt_count
        and a.callback_generation <> ?
      """;

  private final Database database;
  private final ChangeLimiter changeLimiter;
  private final Recheck recheck;
  private final ActionMetrics metrics;
  private final RetrySchedule schedule;
  private final SubscriptionAccess subscriptions;
  private final AuditLog audit;
  private final ChangeRateLimit changes;
  private final StoredBytes storedBytes;
  private final int maxAttempts;
  private final boolean isWorker;
  private final ReentrantLock ending = new ReentrantLock();

  /** The answer to a retry of a run. */
  @RegisterForReflection
  public record Retried(boolean ok, UUID runId, String status) {}

  /** The answer to a retry of the runs that failed since a time. */
  @RegisterForReflection
  public record Recovered(boolean ok, int runs) {}

  /** A subscription that is deleted. */
  private record Owner(UUID repoId, UUID id) {}

  /** The position of a run among those of its repository that wait. */
  private record QueuePosition(String target, boolean urgent, Instant dueAt) {}

  /** A run; its subscription is null if that was deleted. */
  private record Found(String status, UUID subscriptionId, String subscription, int broughtBack) {}

  /** Fewer end than are found if some change meanwhile. After the last one there may be more. */
  private record Ended(int found, int count, String executor, QueuePosition last) {}

  Recovery(
      Database database,
      ChangeLimiter changeLimiter,
      Recheck recheck,
      ActionMetrics metrics,
      RetrySchedule schedule,
      SubscriptionAccess subscriptions,
      AuditLog audit,
      ChangeRateLimit changes,
      StoredBytes storedBytes,
      CairnConfig config) {
    this.database = database;
    this.changeLimiter = changeLimiter;
    this.recheck = recheck;
    this.metrics = metrics;
    this.schedule = schedule;
    this.subscriptions = subscriptions;
    this.audit = audit;
    this.changes = changes;
    this.storedBytes = storedBytes;
    this.maxAttempts = config.retry().maxAttempts();
    this.isWorker = config.roles().contains(CairnConfig.Role.WORKER);
  }

  /**
   * Gives a failed run another attempt, at once.
   *
   * @throws Problem {@code NOT_FOUND} if the repository has no such run; {@code CONFLICT} if it has
   *     not failed, was retried {@link #MAX_BROUGHT_BACK} times, its subscription was deleted, or
   *     its principal may no longer read what it watches; {@code FORBIDDEN} if the caller may not;
   *     {@code RATE_LIMITED}; {@code PAYLOAD_TOO_LARGE} if the organization's quota of bytes is
   *     used up
   */
  public Retried retry(RepositoryAccess access, UUID runId) {
    changes.take(access.account());
    return changeLimiter.call(
        access,
        () -> {
          recheck.holdUnarchived(access, Set.of(REPO_CONFIGURE));
          var found = lock(access.repoId(), runId);
          if (found.subscriptionId() == null) {
            throw conflict("subscription_deleted", "The run's subscription was deleted.");
          }
          subscriptions.refuseReplay(access, found.subscriptionId());
          if (found.broughtBack() >= MAX_BROUGHT_BACK) {
            throw conflict(
                    "retried_too_often",
                    "The run was retried by hand %d times, which is the limit."
                        .formatted(MAX_BROUGHT_BACK))
                .hint("Commit again: that makes a new run.");
          }
          if (bringBack(access, ONE, access.repoId(), runId) == 0) {
            throw conflict("run_not_failed", "The run is %s.".formatted(found.status()))
                .with("status", found.status());
          }
          var details = Map.of("subscription", found.subscription());
          audit.record(access, "run.retried", runId.toString(), details);
          return new Retried(true, runId, RunStatus.RETRY_WAIT.wire());
        });
  }

  /** The problem that a repository has no such run. */
  public static Problem missing(String detail) {
    return Problem.notFound(detail)
        .hint("`GET /actions/runs`, or `action_runs` over MCP, lists those that exist.");
  }

  static Problem conflict(String reason, String detail) {
    return Problem.of(ErrorCode.CONFLICT, detail).with("reason", reason);
  }

  /** A deletion of the subscription waits, and then finds the run that waits again. */
  private Found lock(UUID repoId, UUID runId) {
    return database
        .first(
            """
            select r.status, s.id, r.subscription_name, r.brought_back
            from action_run r
            left join lateral (
              select x.id from subscription x
              where x.repo_id = r.repo_id and x.id = r.subscription_id
              for key share) s on true
            where r.repo_id = ? and r.id = ? and r\
            """
                + Notices.IS_RUN,
            row ->
                new Found(
                    row.getString(1),
                    row.getObject(2, UUID.class),
                    row.getString(3),
                    row.getInt(4)),
            repoId,
            runId)
        .orElseThrow(() -> missing("There is no run `" + runId + "` here."));
  }

  /**
   * Gives the runs of a subscription that were made at or after {@code since} and failed another
   * attempt, at once, except those that were retried too often.
   *
   * @throws Problem {@code NOT_FOUND} if there is no such subscription; {@code RATE_LIMITED};
   *     {@code PAYLOAD_TOO_LARGE} if the organization's quota of bytes is used up
   */
  public Recovered recover(RepositoryAccess access, String subscriptionName, Instant since) {
    changes.take(access.account());
    return changeLimiter.call(
        access,
        () -> {
          recheck.holdUnarchived(access, Set.of(REPO_CONFIGURE));
          var id = lock(access.repoId(), subscriptionName);
          subscriptions.refuseReplay(access, id);
          int runs = bringBack(access, SINCE, access.repoId(), since, id);
          if (runs > 0) {
            var details = Map.of("runs", String.valueOf(runs));
            audit.record(access, "subscription.recovered", subscriptionName, details);
          }
          return new Recovered(true, runs);
        });
  }

  private UUID lock(UUID repoId, String subscriptionName) {
    return database
        .first(
            "select id from subscription where repo_id = ? and name = ? for key share",
            row -> row.getObject(1, UUID.class),
            repoId,
            subscriptionName)
        .orElseThrow(() -> SubscriptionReads.missing(subscriptionName));
  }

  /** Each run may store more attempts and notifications, again and again: they count each time. */
  private int bringBack(RepositoryAccess access, String sql, Object... parameters) {
    int runs = database.first(sql, row -> row.getInt(1), parameters).orElseThrow();
    long bytes = (long) StoredBytes.RUN * runs;
    storedBytes.reserve(access.orgId(), bytes);
    if (runs > 0) {
      StoredBytes.count(database, Map.of(access.repoId(), bytes));
    }
    return runs;
  }

  /**
   * Ends the first runs of a subscription that is deleted, in the transaction that does. Callbacks
   * of running attempts stay valid, but not those that a change of the subscription has ended.
   */
  void end(@Observes SubscriptionDeleted deleted) {
    database.update(
        END_CALLBACKS, NO_GENERATION, deleted.repoId(), deleted.id(), deleted.callbackGeneration());
    endBatch(new Owner(deleted.repoId(), deleted.id()), START);
  }

  /**
   * Ends the others after that transaction, in batches: commits wait while a subscription is being
   * deleted. If the service dies in between, {@link #endOrphans} ends the rest.
   */
  void endRest(@Observes(during = TransactionPhase.AFTER_SUCCESS) SubscriptionDeleted deleted) {
    var owner = new Owner(deleted.repoId(), deleted.id());
    Thread.ofVirtual().name("ends of " + owner.id()).start(() -> endAll(owner));
  }

  /** Ends the runs that wait for deleted subscriptions, in replicas that are workers. */
  @Scheduled(every = "1m", concurrentExecution = ConcurrentExecution.SKIP)
  @RunOnVirtualThread
  void endOrphansOnSchedule() {
    if (isWorker) {
      endOrphans();
    }
  }

  /** Ends the runs that wait for deleted subscriptions, which a replica may have left. */
  void endOrphans() {
    database
        .list(
            GONE,
            row -> new Owner(row.getObject(1, UUID.class), row.getObject(2, UUID.class)),
            GONE_BATCH)
        .forEach(this::endAll);
  }

  private void endAll(Owner deleted) {
    // One subscription after another, with one connection of the pool.
    ending.lock();
    try {
      var position = Optional.of(START);
      while (position.isPresent()) {
        position = endBatch(deleted, position.get());
      }
    } catch (RuntimeException e) {
      LOG.warnf("runs of subscription %s are not ended yet: %s", deleted.id(), e.getMessage());
    } finally {
      ending.unlock();
    }
  }

  private Optional<QueuePosition> endBatch(Owner deleted, QueuePosition from) {
    return database.transaction(
        () -> {
          var ended = endIn(deleted, from);
          if (ended.count() > 0) {
            metrics.statusChanged(ended.executor(), RunStatus.FAILED_TERMINAL, ended.count());
          }
          return ended.count() < ended.found()
              ? Optional.of(from)
              : Optional.ofNullable(ended.last());
        });
  }

  private Ended endIn(Owner deleted, QueuePosition from) {
    return database
        .inIndexOrder()
        .first(
            END,
            Recovery::ended,
            deleted.repoId(),
            from.target(),
            from.urgent(),
            from.dueAt(),
            deleted.id(),
            END_BATCH,
            Codes.SUBSCRIPTION_DELETED,
            "The subscription was deleted.",
            maxAttempts,
            schedule.first().toMillis(),
            END_BATCH - 1)
        .orElseThrow();
  }

  private static Ended ended(ResultSet row) throws SQLException {
    var target = row.getString("target");
    var last =
        target == null
            ? null
            : new QueuePosition(target, row.getBoolean("urgent"), Rows.instant(row, "due_at"));
    return new Ended(row.getInt("found"), row.getInt("ended"), row.getString("executor"), last);
  }
}
