package dev.cairn.mcp;

import static dev.cairn.access.Permission.REPO_READ;

import dev.cairn.access.Authorizer;
import dev.cairn.access.CurrentCaller;
import dev.cairn.access.RepositoryAccess;
import jakarta.enterprise.context.ApplicationScoped;

/** Authorizes reads of the repository of a call. */
@ApplicationScoped
class ReadAccess {
  private final CurrentCaller caller;
  private final Authorizer authorizer;

  ReadAccess(CurrentCaller caller, Authorizer authorizer) {
    this.caller = caller;
    this.authorizer = authorizer;
  }

  /** The caller's read access to the repository that the arguments name. */
  RepositoryAccess of(ToolCall call) {
    return of(call.org(), call.repo());
  }

  /** The caller's read access to a given repository. */
  RepositoryAccess of(String org, String repo) {
    return authorizer.repository(caller.get(), org, repo, REPO_READ);
  }
}
