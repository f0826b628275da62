package dev.cairn.subscription;

import dev.cairn.access.AuditLog;
import dev.cairn.access.AuditLog.ByService;
import dev.cairn.platform.Database;
import jakarta.enterprise.context.ApplicationScoped;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.UUID;

/**
 * Pauses subscriptions without a caller: {@code docs/subscriptions.md}, Pausing and deleting. Each
 * pause is in the organization's audit log with its reason.
 */
@ApplicationScoped
public class AutomaticPauses {
  private final Database database;
  private final AuditLog audit;

  /** Why a subscription was paused; the audit log has it in lower case. */
  public enum Reason {
    /** Its principal may no longer read what it watches. */
    ACCESS_LOST,
    /** Its receiver answered 410. */
    RECEIVER_GONE
  }

  /** A subscription. */
  public record Key(UUID repoId, UUID id) {}

  private record Paused(UUID orgId, String repository, String name) {}

  AutomaticPauses(Database database, AuditLog audit) {
    this.database = database;
    this.audit = audit;
  }

  /**
   * Pauses those that are active, in one transaction. It locks the heads of what they watch, so it
   * is called where no run is locked.
   */
  public void pause(List<Key> subscriptions, Reason reason) {
    pause(subscriptions, reason, null);
  }

  /**
   * The same for one whose receiver answered that it is gone, unless the subscription was changed
   * during that call: its receiver may be another one now, and it may act for another account.
   *
   * @param began when the call began
   */
  public void pauseGone(Key subscription, Instant began) {
    pause(List.of(subscription), Reason.RECEIVER_GONE, began);
  }

  /**
   * @param unchangedSince null if it does not matter when they were changed
   */
  private void pause(List<Key> subscriptions, Reason reason, Instant unchangedSince) {
    if (subscriptions.isEmpty()) {
      return;
    }
    var repoIds = subscriptions.stream().map(Key::repoId).toArray(UUID[]::new);
    var ids = subscriptions.stream().map(Key::id).toArray(UUID[]::new);
    database.transaction(
        () -> {
          raiseWatched(repoIds, ids);
          record(pause(repoIds, ids, unchangedSince), reason);
          return true;
        });
  }

  /** Tells commits that who watches them changes; in one order, whoever else does the same. */
  private void raiseWatched(UUID[] repoIds, UUID[] ids) {
    database.update(
        """
        update repository_head h set watchers = watchers + 1
        from (
          select repo_id from repository_head
          where repo_id in (
            select s.source_repo_id
            from unnest(?, ?) as n (repo_id, id)
            join subscription s on s.repo_id = n.repo_id and s.id = n.id)
          order by repo_id for update) x
        where h.repo_id = x.repo_id
        """,
        repoIds,
        ids);
  }

  private List<Paused> pause(UUID[] repoIds, UUID[] ids, Instant unchangedSince) {
    return database.list(
        """
        update subscription s set active = false, next_tick_at = null, updated_at = ?
        from unnest(?, ?) as n (repo_id, id), repository r
        where s.repo_id = n.repo_id and s.id = n.id and s.active and r.id = s.repo_id
          and s.updated_at <= coalesce(?::timestamptz, 'infinity')
        returning r.org_id, r.name, s.name
        """,
        row -> new Paused(row.getObject(1, UUID.class), row.getString(2), row.getString(3)),
        Instant.now(),
        repoIds,
        ids,
        unchangedSince);
  }

  private void record(List<Paused> paused, Reason reason) {
    var why = reason.name().toLowerCase(Locale.ROOT);
    audit.recordByService(
        "subscription.paused",
        paused.stream()
            .map(
                subscription ->
                    new ByService(
                        subscription.orgId(),
                        subscription.name(),
                        Map.of("repository", subscription.repository(), "reason", why)))
            .toList());
  }
}
