package dev.cairn.subscription;

import dev.cairn.access.audit.AuditLog;
import dev.cairn.access.audit.AuditLog.ByService;
import dev.cairn.content.RepositoryHeads;
import dev.cairn.model.ErrorCode;
import dev.cairn.model.Problem;
import dev.cairn.platform.database.Columns;
import dev.cairn.platform.database.Database;
import dev.cairn.platform.limiter.KeyedLimiter;
import jakarta.enterprise.context.ApplicationScoped;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/**
 * Pauses subscriptions and notifications without a request: {@code docs/subscriptions.md}, Pausing
 * and deleting, and {@code docs/access.md}, Settings. Each pause is in the organization's audit log
 * with its reason.
 */
@ApplicationScoped
public class AutomaticPauses {
  /**
   * The principal of the subscription {@code s} may not read the repository {@code watched}, or the
   * repository {@code own} that the subscription is in. Both are of one organization.
   */
  public static final String ACCESS_LOST =
      """
      'private' in (watched.visibility, own.visibility) and not exists (
        select from member m where m.org_id = own.org_id and m.account_id = s.principal_id)
      """;

  private static final String LOST = "access_lost";

  private static final String PAUSE =
      """
      update subscription s set active = false, next_tick_at = null, updated_at = ?
      from unnest(?, ?) as n (repo_id, id), repository own, repository watched
      where s.repo_id = n.repo_id and s.id = n.id and s.active and own.id = s.repo_id
        and watched.id = coalesce(s.source_repo_id, s.repo_id) and
      """;

  private static final String RETURN_PAUSED = " returning own.org_id, own.name, s.name, watched.id";

  /** How long a worker waits for other pauses of the repository, and for each lock. */
  private static final Duration MAX_WAIT = Duration.ofSeconds(1);

  private final Database database;
  private final RepositoryHeads heads;
  private final AuditLog audit;

  /**
   * By repository. Separate from that of callers, so that workers do not wait for their changes.
   */
  private final KeyedLimiter<UUID> limiter = new KeyedLimiter<>(1);

  /** A subscription. */
  public record SubscriptionId(UUID repoId, UUID id) {}

  /**
   * A subscription that was paused.
   *
   * @param watchedId the repository that it watches; for one with a schedule, the one that it is in
   */
  private record Paused(UUID orgId, String repository, String name, UUID watchedId) {
    static Paused of(ResultSet row) throws SQLException {
      return new Paused(
          row.getObject(1, UUID.class),
          row.getString(2),
          row.getString(3),
          row.getObject(4, UUID.class));
    }
  }

  AutomaticPauses(Database database, RepositoryHeads heads, AuditLog audit) {
    this.database = database;
    this.heads = heads;
    this.audit = audit;
  }

  /**
   * Pauses those that are active and whose principal may not read the repository that they watch or
   * the one that they are in. It waits only for a commit that is making their runs: what commits
   * have cached may go on naming them, but a commit makes no run for one that is paused.
   */
  public void pauseForLostAccess(List<SubscriptionId> candidates) {
    pause(candidates, LOST, ACCESS_LOST);
  }

  /**
   * Ends the calls of a repository's notification URL until it is set again, unless it just was.
   *
   * @param principalId the account that they were made for
   * @throws RuntimeException if another change took too long; to be tried again
   */
  public void pauseNotifications(UUID repoId, UUID principalId) {
    oneAtATime(
        repoId,
        () ->
            audit.recordByService(
                "repository.notifications_paused",
                database.list(
                    """
                    update repository set notifications_principal_id = null
                    where id = ? and notifications_principal_id = ?
                    returning org_id, name
                    """,
                    row ->
                        new ByService(
                            row.getObject(1, UUID.class), row.getString(2), Map.of("reason", LOST)),
                    repoId,
                    principalId)));
  }

  /**
   * Pauses a subscription whose receiver answered that it is gone, unless the subscription was
   * changed since it was read for that call: it may have another receiver now, or another
   * principal. A tick of its schedule counts as a change too; the next 410 pauses it then. One call
   * of a repository at a time waits for the subscription, and not for long; it must be called
   * without a transaction.
   *
   * @param version {@code xmin} of the subscription's row when it was read
   * @throws RuntimeException if another change, or another call, took too long; to be tried again
   */
  public void pauseForGoneReceiver(SubscriptionId subscription, String version) {
    oneAtATime(
        subscription.repoId(),
        () -> pause(List.of(subscription), "receiver_gone", "s.xmin::text = ?", version));
  }

  private void oneAtATime(UUID repoId, Runnable pause) {
    limiter.call(
        repoId,
        MAX_WAIT,
        () ->
            database.transaction(
                () -> {
                  database.update("set local lock_timeout = " + MAX_WAIT.toMillis());
                  pause.run();
                  return true;
                }),
        AutomaticPauses::busy);
  }

  private static Problem busy() {
    return Problem.of(
        ErrorCode.UNAVAILABLE, "Other subscriptions of the repository are being paused.");
  }

  /**
   * @param condition decides in the pausing statement itself, after the locks are taken
   */
  private void pause(
      List<SubscriptionId> candidates, String reason, String condition, String... parameters) {
    if (candidates.isEmpty()) {
      return;
    }
    var repoIds = Columns.uuids(candidates, SubscriptionId::repoId);
    var ids = Columns.uuids(candidates, SubscriptionId::id);
    var all = new ArrayList<Object>(List.of(Instant.now(), repoIds, ids));
    Collections.addAll(all, parameters);
    database.transaction(
        () -> {
          lock(repoIds, ids);
          var paused = database.list(PAUSE + condition + RETURN_PAUSED, Paused::of, all.toArray());
          record(paused, reason);
          // Elsewhere, the next commit that matches a paused subscription raises the number.
          heads.raiseFreeWatchers(paused.stream().map(Paused::watchedId).distinct().toList());
          return true;
        });
  }

  /** In the order in which a commit locks them. */
  private void lock(UUID[] repoIds, UUID[] ids) {
    database.list(
        """
        select from unnest(?, ?) as n (repo_id, id)
        join subscription s on s.repo_id = n.repo_id and s.id = n.id
        where s.active
        order by s.id
        for no key update of s
        """,
        _ -> true,
        repoIds,
        ids);
  }

  private void record(List<Paused> paused, String reason) {
    audit.recordByService(
        "subscription.paused",
        paused.stream()
            .map(
                subscription ->
                    new ByService(
                        subscription.orgId(),
                        subscription.name(),
                        Map.of("repository", subscription.repository(), "reason", reason)))
            .toList());
  }
}
