package dev.cairn.subscription;

import dev.cairn.access.audit.AuditLog;
import dev.cairn.access.audit.AuditLog.ByService;
import dev.cairn.content.RepositoryHeads;
import dev.cairn.model.Problem;
import dev.cairn.platform.database.Database;
import dev.cairn.subscription.AutomaticPauses.SubscriptionId;
import dev.cairn.tenant.MembershipEnded;
import dev.cairn.tenant.NotificationSecrets;
import dev.cairn.tenant.RepositoriesChanged;
import dev.cairn.tenant.RepositoriesChanging;
import dev.cairn.tenant.RepositoryDeleted;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Event;
import jakarta.enterprise.event.Observes;
import java.util.Map;
import java.util.UUID;

/**
 * Applies changes of organizations and repositories to subscriptions, in the transactions of those
 * changes. See {@code docs/subscriptions.md}, Principal and Other repositories.
 */
@ApplicationScoped
class TenantChanges {
  /**
   * Active ones whose principal may no longer read what they watch, or the repository that they are
   * in. Those with a schedule watch nothing else. They are selected by their kind, because {@code
   * source_repo_id is null} would read the index entries of every schedule there is.
   */
  static final String LOST =
      """
      select s.repo_id, s.id
      from repository watched
      join subscription s
        on s.active
        and (s.source_repo_id = watched.id or s.kind = 'cron' and s.repo_id = watched.id)
      join repository own on own.id = s.repo_id
      where watched.org_id = ? and
      """
          + AutomaticPauses.ACCESS_LOST;

  private final Database database;
  private final RepositoryHeads heads;
  private final CredentialSets credentials;
  private final AutomaticPauses pauses;
  private final AuditLog audit;
  private final Event<SubscriptionDeleted> deleted;

  /** A subscription that was deleted with what it watched. */
  private record Deleted(SubscriptionDeleted event, ByService audited) {}

  TenantChanges(
      Database database,
      RepositoryHeads heads,
      CredentialSets credentials,
      AutomaticPauses pauses,
      AuditLog audit,
      Event<SubscriptionDeleted> deleted) {
    this.database = database;
    this.heads = heads;
    this.credentials = credentials;
    this.pauses = pauses;
    this.audit = audit;
    this.deleted = deleted;
  }

  /** Commits have names and archiving in their cached watchers. */
  void repositoriesChanging(@Observes RepositoriesChanging change) {
    heads.raiseWatchers(
        database.list(
            """
            select distinct s.source_repo_id
            from repository r join subscription s on s.repo_id = r.id
            where r.org_id = ? and r.id = coalesce(?, r.id) and s.source_repo_id is not null
            union select ?::uuid where ?
            """,
            row -> row.getObject(1, UUID.class),
            change.orgId(),
            change.repoId(),
            change.repoId(),
            change.withOwnHead()),
        change.repoId() == null);
  }

  void repositoriesChanged(@Observes RepositoriesChanged change) {
    pauseLost(change.orgId());
  }

  /** The same rule as for what a subscription is bound to. */
  void notificationSecretsNamed(@Observes NotificationSecrets named) {
    try {
      credentials.requireUsable(named.repoId(), named.credentialSetName());
    } catch (Problem e) {
      throw e.under(named.pointer());
    }
  }

  void membershipEnded(@Observes MembershipEnded ended) {
    pauseLost(ended.orgId());
  }

  private void pauseLost(UUID orgId) {
    var lost =
        database.list(
            LOST,
            row -> new SubscriptionId(row.getObject(1, UUID.class), row.getObject(2, UUID.class)),
            orgId);
    pauses.pauseForLostAccess(lost);
  }

  /** Deletes those of other repositories that watch it, each recorded in the audit log. */
  void repositoryDeleted(@Observes RepositoryDeleted event) {
    var removed =
        database.list(
            """
            delete from subscription s using repository r
            where s.source_repo_id = ? and s.repo_id <> ? and r.id = s.repo_id
            returning s.repo_id, s.id, s.name, s.callback_generation, r.org_id, r.name as repository
            """,
            row ->
                new Deleted(
                    new SubscriptionDeleted(
                        row.getObject("repo_id", UUID.class),
                        row.getObject("id", UUID.class),
                        row.getInt("callback_generation")),
                    new ByService(
                        row.getObject("org_id", UUID.class),
                        row.getString("name"),
                        Map.of(
                            "repository",
                            row.getString("repository"),
                            "reason",
                            "source_deleted"))),
            event.repoId(),
            event.repoId());
    audit.recordByService("subscription.deleted", removed.stream().map(Deleted::audited).toList());
    removed.stream().map(Deleted::event).forEach(deleted::fire);
  }
}
