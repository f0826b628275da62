package dev.cairn.subscription;

import dev.cairn.model.Problem;
import dev.cairn.platform.Database;
import dev.cairn.subscription.AutomaticPauses.Reason;
import dev.cairn.tenant.MembershipEnded;
import dev.cairn.tenant.NotificationSecrets;
import dev.cairn.tenant.RepositoriesChanged;
import dev.cairn.tenant.RepositoriesChanging;
import dev.cairn.tenant.RepositoryDeleted;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Event;
import jakarta.enterprise.event.Observes;
import java.util.UUID;

/**
 * What changes of organizations and repositories mean for subscriptions, in the transactions of
 * those changes. See {@code docs/subscriptions.md}, Principal and Other repositories.
 */
@ApplicationScoped
class TenantChanges {
  /**
   * Active ones whose principal may no longer read what they watch. Those with a schedule watch
   * nothing: what counts for them is the repository that they are in.
   */
  static final String LOST =
      """
      select s.repo_id, s.id
      from repository watched
      join subscription s
        on s.active
        and (s.source_repo_id = watched.id or s.source_repo_id is null and s.repo_id = watched.id)
      where watched.org_id = ? and watched.visibility = 'private'
        and not exists (
          select from member m where m.org_id = watched.org_id and m.account_id = s.principal_id)
      """;

  private final Database database;
  private final CredentialSets credentials;
  private final AutomaticPauses pauses;
  private final Event<SubscriptionDeleted> deleted;

  TenantChanges(
      Database database,
      CredentialSets credentials,
      AutomaticPauses pauses,
      Event<SubscriptionDeleted> deleted) {
    this.database = database;
    this.credentials = credentials;
    this.pauses = pauses;
    this.deleted = deleted;
  }

  /** Commits know names and archiving from what they keep of their watchers. */
  void repositoriesChanging(@Observes RepositoriesChanging change) {
    database.update(
        """
        update repository_head h set watchers = watchers + 1
        from (
          select repo_id from repository_head
          where repo_id in (
            select s.source_repo_id
            from repository r join subscription s on s.repo_id = r.id
            where r.org_id = ? and r.id = coalesce(?, r.id))
          order by repo_id for update) x
        where h.repo_id = x.repo_id
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
    var lost =
        database.list(
            LOST,
            row ->
                new AutomaticPauses.Key(row.getObject(1, UUID.class), row.getObject(2, UUID.class)),
            orgId);
    pauses.pause(lost, Reason.ACCESS_LOST);
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
