package dev.cairn.mcp;

import static dev.cairn.mcp.Tool.optional;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.cairn.access.CurrentCaller;
import dev.cairn.access.RepositoryAccess;
import dev.cairn.action.Recovery;
import dev.cairn.action.RunId;
import dev.cairn.action.read.ActionAccess;
import dev.cairn.action.read.ActionReads;
import dev.cairn.action.read.RunView;
import dev.cairn.mcp.Tool.Effect;
import dev.cairn.model.Problem;
import io.quarkus.runtime.annotations.RegisterForReflection;
import jakarta.enterprise.context.ApplicationScoped;
import java.util.List;
import java.util.Optional;

/** Tools for the runs of subscriptions; {@code docs/actions.md}. */
@ApplicationScoped
class ActionTools implements ToolSource {
  private static final String CATEGORY = "Runs of subscriptions";

  /**
   * A page of runs whose cursor has another name than in the REST API.
   *
   * @param cursor the cursor of the next page, with older runs; null on the last page
   */
  @RegisterForReflection
  @JsonInclude(JsonInclude.Include.NON_NULL)
  record Feed(List<RunView> items, String cursor) {}

  private final CurrentCaller caller;
  private final ActionAccess access;
  private final ActionReads reads;
  private final Recovery recovery;

  ActionTools(CurrentCaller caller, ActionAccess access, ActionReads reads, Recovery recovery) {
    this.caller = caller;
    this.access = access;
    this.reads = reads;
    this.recovery = recovery;
  }

  @Override
  public int order() {
    return 9;
  }

  @Override
  public Optional<Toolset> toolset() {
    return Optional.of(Toolset.SUBSCRIPTION);
  }

  @Override
  public List<Tool> tools() {
    return List.of(
        Tool.ofRoute("action_runs", "List runs")
            .describedAs(
                """
                The runs that the repository's subscriptions started, newest first, each with its status
                and last error. Next: action_attempts, action_retry.
                """)
            .handledBy(CATEGORY, this::runs),
        Tool.named("action_attempts", "Attempts at a run")
            .inRepository()
            .open()
            .describedAs(
                "All attempts at a run. Give `runId`, or `subscriptionName` and `commitId`.")
            .takes(
                optional("runId", Schema.string("From action_runs")),
                optional("subscriptionName", Schema.string("With `commitId`")),
                optional("commitId", Schema.string("16 hexadecimal digits")))
            .requiring("subscriptionName", "commitId")
            .requiring("commitId", "subscriptionName")
            .returnsLike("action_attempts")
            .handledBy(CATEGORY, this::attempts),
        Tool.named("action_feed", "Follow deliveries")
            .inRepository()
            .open()
            .describedAs(
                """
                Runs of every status, newest first. `cursor` in the answer leads to older ones. To follow
                the feed, call again with `since`: the createdAt of the newest run that you know.
                """)
            .takesLike("action_runs", "since", "limit", "cursor")
            .returns(Schema.object("items:object[]", "cursor?:string"))
            .handledBy(CATEGORY, this::feed),
        Tool.ofRoute("action_notifications", "List notifications")
            .describedAs("Runs that failed for good, newest first, with the reason.")
            .handledBy(CATEGORY, this::notifications),
        Tool.ofRoute("action_retry", "Retry a failed run")
            .withEffect(Effect.ADDS)
            .describedAs("Retries a failed run immediately.")
            .handledBy(CATEGORY, this::retry));
  }

  private Object runs(ToolCall call) {
    var granted = readable(call);
    return reads.runs(granted, call.parameters(ActionReads.OF_RUNS));
  }

  private Object feed(ToolCall call) {
    var granted = readable(call);
    var page = reads.runs(granted, call.parameters(ActionReads.OF_RUNS));
    return new Feed(page.items(), page.nextCursor());
  }

  private Object notifications(ToolCall call) {
    var granted = readable(call);
    return reads.notifications(granted, call.parameters(ActionReads.OF_NOTIFICATIONS));
  }

  private Object attempts(ToolCall call) {
    var granted = readable(call);
    var runId = call.text("runId");
    var subscription = call.text("subscriptionName");
    var commit = call.text("commitId");
    if (runId.isPresent() == (subscription.isPresent() && commit.isPresent())
        || subscription.isPresent() != commit.isPresent()) {
      throw Problem.invalid(
          "/runId", "Give `runId`, or `subscriptionName` and `commitId` together.");
    }
    return runId
        .map(id -> reads.attempts(granted, RunId.of(id)))
        .orElseGet(() -> reads.attempts(granted, subscription.get(), commit.get()));
  }

  private Object retry(ToolCall call) {
    var granted = access.toRecover(caller.get(), call.org(), call.repo());
    return recovery.retry(granted, RunId.of(call.required("runId")));
  }

  private RepositoryAccess readable(ToolCall call) {
    return access.toRead(caller.get(), call.org(), call.repo());
  }
}
