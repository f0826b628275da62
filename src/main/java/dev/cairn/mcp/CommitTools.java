package dev.cairn.mcp;

import static dev.cairn.platform.page.Page.CURSOR;
import static dev.cairn.platform.page.Page.LIMIT;

import dev.cairn.commit.CommitAnswer;
import dev.cairn.commit.CommitLog;
import dev.cairn.mcp.Tool.Effect;
import dev.cairn.platform.page.Page;
import jakarta.enterprise.context.ApplicationScoped;
import java.util.List;
import java.util.Set;

/** Tools that write commits and read the commit log; {@code docs/commits.md}. */
@ApplicationScoped
class CommitTools implements ToolSource {
  private static final String CATEGORY = "Commit";
  private static final Set<String> PAGED = Set.of(LIMIT, CURSOR);

  private final ReadAccess readAccess;
  private final Commits commits;
  private final CommitLog log;

  CommitTools(ReadAccess readAccess, Commits commits, CommitLog log) {
    this.readAccess = readAccess;
    this.commits = commits;
    this.log = log;
  }

  @Override
  public int order() {
    return 7;
  }

  @Override
  public List<Tool> tools() {
    return List.of(
        Tool.ofRoute("commit_submit", "Write a batch of operations")
            .withEffect(Effect.ADDS)
            .describedAs(
                """
                Writes all operations or none. Each operation is `{operation: add | revise | retract
                | rename, name: "Shape/name", data, about?, expectedVersion?, skipExisting?}`:
                `about` (a wref) makes an assertion; `type` (pair, triple, set, list) and `members`
                make a collection; a bare name or kind: shape makes a shape. Later operations may refer
                to earlier ones as `$0`, `$1`. `revise` replaces the whole `data`. Use dryRun: true first
                if you are not sure. On an error nothing was written: its `errors` point to the mistake,
                as in /operations/3/data/size; fix it and call again. repo_describe has an example for
                each shape.
                """)
            .handledBy(CATEGORY, this::submit),
        Tool.ofRoute("commit_log", "List commits")
            .describedAs(
                "The commits of a repository, newest first, with author, time and message.")
            .handledBy(CATEGORY, this::list),
        Tool.ofRoute("commit_get", "Read one commit")
            .describedAs("A commit with a page of its operations.")
            .handledBy(CATEGORY, this::get));
  }

  private Object submit(ToolCall call) {
    var access = commits.access(call);
    var form = CommitAnswer.Form.of(call.text(CommitAnswer.Form.PARAMETER).orElse("summary"));
    return commits.submit(
        access,
        call.object("idempotencyKey", CommitAnswer.Form.PARAMETER),
        call.text("idempotencyKey"),
        form);
  }

  private Object list(ToolCall call) {
    var access = readAccess.of(call).requireUnrestricted();
    var parameters = call.parameters(PAGED);
    return log.list(access, Page.limit(parameters), parameters.text(CURSOR));
  }

  private Object get(ToolCall call) {
    var access = readAccess.of(call).requireUnrestricted();
    var parameters = call.parameters(PAGED, "commitId");
    return log.get(
        access, call.required("commitId"), Page.limit(parameters), parameters.text(CURSOR));
  }
}
