package dev.cairn.subscription;

import static dev.cairn.access.Permission.REPO_CONFIGURE;
import static dev.cairn.access.Permission.REPO_READ;
import static dev.cairn.access.Permission.REPO_WRITE;

import dev.cairn.access.Authorizer;
import dev.cairn.access.Caller;
import dev.cairn.access.RepositoryAccess;
import jakarta.enterprise.context.ApplicationScoped;
import java.util.Optional;
import java.util.Set;

/** Who may see and change subscriptions; {@code docs/subscriptions.md}, Access. */
@ApplicationScoped
public class SubscriptionAccess {
  private final Authorizer authorizer;

  SubscriptionAccess(Authorizer authorizer) {
    this.authorizer = authorizer;
  }

  /** Access to see a repository's subscriptions. */
  public RepositoryAccess toRead(Caller caller, String org, String repo) {
    return authorizer.repository(caller, org, repo, REPO_READ).unnarrowed();
  }

  /**
   * Access to change them. What is set in motion shows what was written: who may read only a part
   * may not set it.
   */
  public RepositoryAccess toWrite(Caller caller, String org, String repo) {
    var access = authorizer.repository(caller, org, repo, REPO_WRITE, REPO_CONFIGURE).unnarrowed();
    var name = access.org() + "/" + access.repo();
    Optional.ofNullable(authorizer.readable(access.caller(), Set.of(name)).get(name))
        .ifPresent(RepositoryAccess::unnarrowed);
    return access;
  }
}
