package dev.cairn.subscription;

import dev.cairn.access.Archived;
import dev.cairn.access.Permission;
import dev.cairn.access.Recheck;
import dev.cairn.access.RepositoryAccess;
import dev.cairn.access.conditional.IfMatch;
import dev.cairn.access.limit.ChangeLimiter;
import dev.cairn.model.ErrorCode;
import dev.cairn.model.Problem;
import dev.cairn.platform.database.Database;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.persistence.LockModeType;
import java.time.Duration;
import java.util.Set;
import java.util.UUID;
import java.util.function.Consumer;

/**
 * Subscriptions, locked for a change. Lock order of subscription changes: the organization's row,
 * the heads of the subscription's repository and of the one that it watches, the subscription. So a
 * change waits for a commit that is in progress, and the next commit sees it. Changes of members,
 * organizations and repositories also lock the organization before any head. See {@code
 * docs/architecture.md}, Lock order of subscription changes.
 */
@ApplicationScoped
class LockedSubscriptions {
  /**
   * How long a change waits at a time for a commit to another repository, the one that is watched.
   */
  private static final Duration MAX_WAIT = Duration.ofSeconds(1);

  private final Database database;
  private final ChangeLimiter changeLimiter;
  private final Recheck recheck;
  private final Sources sources;
  private final RepositoryStates repositories;
  private final SubscriptionReads reads;

  /**
   * A subscription as it was found before the locks.
   *
   * @param sourceRepoId its own repository if it watches none
   * @param tokenPermissions of the tokens that its runs get
   * @param isBound whether a credential set is bound
   */
  record Known(
      UUID id,
      String kind,
      UUID sourceRepoId,
      Set<Permission> tokenPermissions,
      boolean isBound,
      boolean isActive) {}

  LockedSubscriptions(
      Database database,
      ChangeLimiter changeLimiter,
      Recheck recheck,
      Sources sources,
      RepositoryStates repositories,
      SubscriptionReads reads) {
    this.database = database;
    this.changeLimiter = changeLimiter;
    this.recheck = recheck;
    this.sources = sources;
    this.repositories = repositories;
    this.reads = reads;
  }

  /**
   * A subscription without a lock.
   *
   * @throws Problem {@code NOT_FOUND}
   */
  Known known(RepositoryAccess access, String name) {
    return database
        .first(
            """
            select id, kind, coalesce(source_repo_id, repo_id) as source_repo_id, token_permissions,
                   credential_set is not null as bound, active
            from subscription where repo_id = ? and name = ?
            """,
            row ->
                new Known(
                    row.getObject("id", UUID.class),
                    row.getString("kind"),
                    row.getObject("source_repo_id", UUID.class),
                    Permission.named((String[]) row.getArray("token_permissions").getArray()),
                    row.getBoolean("bound"),
                    row.getBoolean("active")),
            access.repoId(),
            name)
        .orElseThrow(() -> SubscriptionReads.missing(name));
  }

  /**
   * A subscription, after taking its locks, so that nobody changes the state that was named.
   *
   * @throws Problem {@code NOT_FOUND}, {@code PRECONDITION_FAILED}
   */
  Subscription take(RepositoryAccess access, String name, IfMatch ifMatch) {
    var known = known(access, name);
    lock(access, known.sourceRepoId());
    var subscription =
        Subscription.<Subscription>findByIdOptional(known.id(), LockModeType.PESSIMISTIC_WRITE)
            .orElseThrow(() -> SubscriptionReads.missing(name));
    if (!ifMatch.allows(() -> reads.find(access, name).etag())) {
      var _ = repositories.requireStill(access, PrincipalRules.toStop(access));
      throw Problem.of(
              ErrorCode.PRECONDITION_FAILED,
              "The subscription was changed since the state of `If-Match`.")
          .hint("Read it again, and send the change with its present `etag` if you still want it.");
    }
    return subscription;
  }

  /**
   * Changes a subscription in a transaction of its own, after taking its locks.
   *
   * @throws Problem {@code NOT_FOUND}, {@code PRECONDITION_FAILED}
   */
  void change(
      RepositoryAccess access, String name, IfMatch ifMatch, Consumer<Subscription> change) {
    changeLimiter.call(
        access,
        () -> {
          var subscription = take(access, name, ifMatch);
          change.accept(subscription);
          subscription.save();
          return true;
        });
  }

  /** Holds off commits, and changes of the organization and of the repository's subscriptions. */
  void lock(RepositoryAccess access, UUID sourceRepoId) {
    database.lockName("subscriptions " + access.repoId());
    recheck.holdOrganization(access.orgId());
    if (!sourceRepoId.equals(access.repoId())) {
      // Changes of many repositories may wait for it, each with a connection; then others get it.
      database.update("set local lock_timeout = " + MAX_WAIT.toMillis());
    }
    sources.raise(access.repoId(), sourceRepoId);
  }

  /**
   * Refuses a change by a caller that lacks any of the permissions, or has lost one while it waited
   * for the locks.
   *
   * @throws Problem {@code FORBIDDEN}, {@code NOT_FOUND} if the caller was removed or the name
   *     leads elsewhere, {@code UNAUTHENTICATED} for a token that was just revoked, {@code
   *     ARCHIVED}
   */
  void require(RepositoryAccess access, Set<Permission> needed) {
    access.requiring(needed);
    if (repositories.requireStill(access, needed).isArchived()) {
      throw Archived.repository();
    }
  }
}
