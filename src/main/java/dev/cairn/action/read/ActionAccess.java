package dev.cairn.action.read;

import static dev.cairn.access.Permission.REPO_CONFIGURE;
import static dev.cairn.access.Permission.REPO_READ;

import dev.cairn.access.Authorizer;
import dev.cairn.access.Caller;
import dev.cairn.access.RepositoryAccess;
import dev.cairn.model.ErrorCode;
import dev.cairn.model.Problem;
import dev.cairn.platform.CairnConfig;
import jakarta.enterprise.context.ApplicationScoped;

/** Who may see runs and bring them back; {@code docs/actions.md}, Reading. */
@ApplicationScoped
public class ActionAccess {
  private final Authorizer authorizer;
  private final boolean publicReads;

  ActionAccess(Authorizer authorizer, CairnConfig config) {
    this.authorizer = authorizer;
    this.publicReads = config.actions().publicReads();
  }

  /** Access to see a repository's runs, their attempts and notifications. */
  public RepositoryAccess toRead(Caller caller, String org, String repo) {
    var access =
        publicReads
            ? authorizer.repository(caller, org, repo, REPO_READ, REPO_CONFIGURE)
            : authorizer.repository(caller, org, repo, REPO_CONFIGURE);
    return access.requireUnrestricted();
  }

  /**
   * Access to give failed ones another attempt. Tokens of sprites have none: a sprite that brought
   * back its own run would get a new token and continue without end.
   *
   * @throws Problem {@code FORBIDDEN}
   */
  public RepositoryAccess toRecover(Caller caller, String org, String repo) {
    var access = authorizer.repository(caller, org, repo, REPO_CONFIGURE).requireUnrestricted();
    if (access.account().token() instanceof Caller.ServiceToken) {
      throw Problem.of(ErrorCode.FORBIDDEN, "Tokens of sprites do not bring runs back.")
          .hint("Use an access token of your own sign-in, or a personal access token.");
    }
    return access;
  }
}
