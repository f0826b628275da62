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

/** Commits on behalf of tools. */
@ApplicationScoped
class Commits {
  private static final String IDEMPOTENCY_KEY = "idempotencyKey";

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

  /** Submits the commit that the arguments of a call are; returns the result's JSON. */
  String submit(ToolCall call) {
    var large = call.request().commit();
    var body =
        large == null ? bytes(call.object(IDEMPOTENCY_KEY, CommitAnswer.Form.PARAMETER)) : large;
    return submit(access(call), body, call);
  }

  /** Commits one operation, with the message of the call. */
  String submit(RepositoryAccess access, ToolCall call, ObjectNode operation) {
    var body = JsonNodeFactory.instance.objectNode();
    call.text("message").ifPresent(message -> body.put("message", message));
    body.putArray("operations").add(operation);
    return submit(access, bytes(body), call);
  }

  private String submit(RepositoryAccess access, byte[] body, ToolCall call) {
    var key = call.text(IDEMPOTENCY_KEY);
    var form = call.text(CommitAnswer.Form.PARAMETER).map(CommitAnswer.Form::of);
    var wanted =
        new CommitAnswer.Wanted(
            form.orElse(CommitAnswer.Form.SUMMARY), AnswerBudget.MAX_WRITTEN_BYTES);
    return submissions.submit(access, key, wanted, _ -> true, ReceivedBody.of(body)).json();
  }

  private static byte[] bytes(ObjectNode body) {
    return body.toString().getBytes(StandardCharsets.UTF_8);
  }
}
