package dev.cairn.subscription;

import static dev.cairn.access.Permission.REPO_CONFIGURE;
import static dev.cairn.access.Permission.REPO_READ;
import static dev.cairn.access.Permission.REPO_WRITE;

import dev.cairn.access.Authorizer;
import dev.cairn.access.Caller;
import dev.cairn.access.RepositoryAccess;
import dev.cairn.model.Problem;
import jakarta.enterprise.context.ApplicationScoped;
import java.util.EnumSet;
import java.util.UUID;

/** Who may see and change subscriptions; {@code docs/subscriptions.md}, Principal. */
@ApplicationScoped
public class SubscriptionAccess {
  private final Authorizer authorizer;
  private final Sources sources;
  private final LockedSubscriptions locked;

  SubscriptionAccess(Authorizer authorizer, Sources sources, LockedSubscriptions locked) {
    this.authorizer = authorizer;
    this.sources = sources;
    this.locked = locked;
  }

  /** Access to see a repository's subscriptions. */
  public RepositoryAccess toRead(Caller caller, String org, String repo) {
    return authorizer.repository(caller, org, repo, REPO_READ).requireUnrestricted();
  }

  /** Access to change them. A narrowed token is refused, because runs send all that was written. */
  public RepositoryAccess toWrite(Caller caller, String org, String repo) {
    return authorizer
        .repository(caller, org, repo, REPO_WRITE, REPO_CONFIGURE)
        .requireUnrestricted();
  }

  /**
   * Refuses to send stored runs of a subscription again for a caller that has lost the right to it
   * while it waited, and for a caller, or a principal, that may not read what they hold.
   *
   * @throws Problem {@code FORBIDDEN} or {@code NOT_FOUND} for the caller, {@code CONFLICT} for the
   *     principal, {@code ARCHIVED}
   */
  public void refuseReplay(RepositoryAccess access, UUID subscriptionId) {
    // It may have waited for the run.
    locked.require(access, EnumSet.of(REPO_CONFIGURE));
    Subscription.<Subscription>findByIdOptional(subscriptionId)
        .ifPresent(
            subscription -> {
              sources.refuseUnreadable(access, subscription);
              sources.refuseLost(subscription);
            });
  }
}
