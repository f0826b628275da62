package dev.cairn.mcp;

import static dev.cairn.access.Permission.REPO_READ;

import dev.cairn.access.Authorizer;
import dev.cairn.access.CurrentCaller;
import dev.cairn.access.RepositoryAccess;
import dev.cairn.access.conditional.ConditionalReads;
import jakarta.enterprise.context.ApplicationScoped;
import java.util.function.Function;

/** Authorizes reads of the repository of a call. */
@ApplicationScoped
class ReadAccess {
  private final CurrentCaller caller;
  private final Authorizer authorizer;
  private final ConditionalReads conditional;

  ReadAccess(CurrentCaller caller, Authorizer authorizer, ConditionalReads conditional) {
    this.caller = caller;
    this.authorizer = authorizer;
    this.conditional = conditional;
  }

  /** The caller's read access to the repository that the arguments name. */
  RepositoryAccess of(ToolCall call) {
    return of(call.org(), call.repo());
  }

  /** A list of the repository that the arguments name, in one state of it. */
  Object list(ToolCall call, Function<RepositoryAccess, ?> read) {
    return conditional.consistent(of(call), read);
  }

  /** The caller's read access to a given repository. */
  RepositoryAccess of(String org, String repo) {
    return authorizer.repository(caller.get(), org, repo, REPO_READ);
  }
}
