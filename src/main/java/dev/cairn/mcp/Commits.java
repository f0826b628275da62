package dev.cairn.mcp;

import static dev.cairn.access.Permission.REPO_WRITE;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.cairn.access.Authorizer;
import dev.cairn.access.CurrentCaller;
import dev.cairn.access.RepositoryAccess;
import dev.cairn.commit.CommitAnswer;
import dev.cairn.commit.Submissions;
import dev.cairn.platform.memory.ReceivedBody;
import jakarta.enterprise.context.ApplicationScoped;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/** Commits on behalf of tools. */
@ApplicationScoped
class Commits {
  private final CurrentCaller caller;
  private final Authorizer authorizer;
  private final Submissions submissions;

  Commits(CurrentCaller caller, Authorizer authorizer, Submissions submissions) {
    this.caller = caller;
    this.authorizer = authorizer;
    this.submissions = submissions;
  }

  /** Write access to the repository of a call. */
  RepositoryAccess access(ToolCall call) {
    return authorizer.repository(caller.get(), call.org(), call.repo(), REPO_WRITE);
  }

  /** Submits the body of a commit; returns the result's JSON. */
  String submit(
      RepositoryAccess access,
      ObjectNode body,
      Optional<String> idempotencyKey,
      CommitAnswer.Form form) {
    var bytes = body.toString().getBytes(StandardCharsets.UTF_8);
    return submissions
        .submit(access, idempotencyKey, form, _ -> true, ReceivedBody.of(bytes))
        .json();
  }

  /** Commits one operation, with the message of the call. */
  String submit(RepositoryAccess access, ToolCall call, ObjectNode operation) {
    var body = JsonNodeFactory.instance.objectNode();
    call.text("message").ifPresent(message -> body.put("message", message));
    body.putArray("operations").add(operation);
    return submit(access, body, call.text("idempotencyKey"), CommitAnswer.Form.FULL);
  }
}
