package dev.cairn.subscription;

import dev.cairn.model.Problem;
import dev.cairn.platform.Database;
import dev.cairn.tenant.MembershipEnded;
import dev.cairn.tenant.NotificationSecrets;
import dev.cairn.tenant.RepositoriesChanged;
import dev.cairn.tenant.RepositoriesChanging;
import dev.cairn.tenant.RepositoryDeleted;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Event;
import jakarta.enterprise.event.Observes;
import java.time.Instant;
import java.util.UUID;

/**
 * What changes of organizations and repositories mean for subscriptions, in the transactions of
 * those changes. See {@code docs/subscriptions.md}, Other repositories.
 */
@ApplicationScoped
class TenantChanges {
  /** Active ones that watch a repository which their principal may no longer read. */
  static final String LOST =
      """
      select s.repo_id, s.id, s.source_repo_id
      from repository source
      join subscription s on s.source_repo_id = source.id and s.active and s.repo_id <> source.id
      where source.org_id = ? and source.visibility = 'private'
        and not exists (
          select from member m where m.org_id = source.org_id and m.account_id = s.principal_id)
      """;

  private final Database database;
  private final CredentialSets credentials;
  private final Event<SubscriptionDeleted> deleted;

  TenantChanges(Database database, CredentialSets credentials, Event<SubscriptionDeleted> deleted) {
    this.database = database;
    this.credentials = credentials;
    this.deleted = deleted;
  }

  /** Commits know names and archiving from what they keep of their watchers. */
  void repositoriesChanging(@Observes RepositoriesChanging change) {
    raise(
        """
        select s.source_repo_id
        from repository r join subscription s on s.repo_id = r.id
        where r.org_id = ? and r.id = coalesce(?, r.id)
        """,
        change.orgId(),
        change.repoId());
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
    raise("select l.source_repo_id from (" + LOST + ") l", orgId);
    database.update(
        """
        update subscription set active = false, updated_at = ?
        where (repo_id, id) in (select l.repo_id, l.id from (LOST) l)
        """
            .replace("LOST", LOST),
        Instant.now(),
        orgId);
  }

  /** In one order, whoever else does the same. */
  private void raise(String sources, Object... parameters) {
    database.update(
        """
        update repository_head h set watchers = watchers + 1
        from (
          select repo_id from repository_head
          where repo_id in (SOURCES) order by repo_id for update) x
        where h.repo_id = x.repo_id
        """
            .replace("SOURCES", sources),
        parameters);
  }

  /** Those of other repositories, which would go without a word; its own ones have no runs left. */
  void repositoryDeleted(@Observes RepositoryDeleted event) {
    database
        .list(
            """
            delete from subscription where source_repo_id = ? and repo_id <> ?
            returning repo_id, id
            """,
            row ->
                new SubscriptionDeleted(row.getObject(1, UUID.class), row.getObject(2, UUID.class)),
            event.repoId(),
            event.repoId())
        .forEach(deleted::fire);
  }
}
