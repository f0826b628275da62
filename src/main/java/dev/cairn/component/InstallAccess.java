package dev.cairn.component;

import static dev.cairn.access.Permission.REPO_CONFIGURE;
import static dev.cairn.access.Permission.REPO_READ;
import static dev.cairn.access.Permission.REPO_WRITE;

import dev.cairn.access.Authorizer;
import dev.cairn.access.Caller;
import dev.cairn.access.Permission;
import dev.cairn.access.RepositoryAccess;
import jakarta.enterprise.context.ApplicationScoped;
import java.util.EnumSet;
import java.util.Set;

/**
 * Who may see and change the components of a repository; see {@code docs/components.md},
 * Installing.
 */
@ApplicationScoped
public class InstallAccess {
  /** What a change needs, besides what the component itself needs. */
  private static final Set<Permission> TO_CHANGE =
      Set.copyOf(EnumSet.of(REPO_READ, REPO_WRITE, REPO_CONFIGURE));

  /** What a delegated token may not do; see {@link Caller.SignedIn#delegatedMayNot}. */
  static final String TO_INSTALL =
      "install components, tear them down, or rotate their tokens: what is installed works after"
          + " the token has ended.";

  private static final Set<Permission> TO_CHECK = Set.copyOf(EnumSet.of(REPO_READ, REPO_CONFIGURE));

  private final Authorizer authorizer;

  InstallAccess(Authorizer authorizer) {
    this.authorizer = authorizer;
  }

  /** Access to list the components of a repository. */
  public RepositoryAccess toList(Caller caller, String org, String repo) {
    return authorizer.repository(caller, org, repo, REPO_READ).requireUnrestricted();
  }

  /** Access to check whether a component is well. */
  public RepositoryAccess toCheck(Caller caller, String org, String repo) {
    return authorizer.repository(caller, org, repo, REPO_CONFIGURE).requiring(TO_CHECK);
  }

  /**
   * Access to install a component, to tear it down, or to rotate its token: for the whole
   * repository, with a token that is not delegated.
   */
  public RepositoryAccess toChange(Caller caller, String org, String repo) {
    return authorizer
        .repository(caller, org, repo, REPO_WRITE)
        .undelegated(TO_INSTALL)
        .requiring(TO_CHANGE);
  }

  /** What {@link #toChange} has granted, for a check after waiting. */
  static Set<Permission> toChange() {
    return TO_CHANGE;
  }
}
