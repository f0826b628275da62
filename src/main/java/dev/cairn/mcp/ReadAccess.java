package dev.cairn.mcp;

import static dev.cairn.access.Permission.REPO_READ;

import dev.cairn.access.Authorizer;
import dev.cairn.access.CurrentCaller;
import dev.cairn.access.RepositoryAccess;
import jakarta.enterprise.context.ApplicationScoped;

/** Access to read the repository that a call is about. */
@ApplicationScoped
class ReadAccess {
  private final CurrentCaller caller;
  private final Authorizer authorizer;

  ReadAccess(CurrentCaller caller, Authorizer authorizer) {
    this.caller = caller;
    this.authorizer = authorizer;
  }

  /** Access to what the caller may read of it. */
  RepositoryAccess of(ToolCall call) {
    return of(call.org(), call.repo());
  }

  /** The same, if arguments do not name it. */
  RepositoryAccess of(String org, String repo) {
    return authorizer.repository(caller.get(), org, repo, REPO_READ);
  }
}
