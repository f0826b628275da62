package dev.cairn.mcp;

import static dev.cairn.platform.page.Page.CURSOR;
import static dev.cairn.platform.page.Page.LIMIT;

import dev.cairn.commit.CommitLog;
import dev.cairn.mcp.Tool.Effect;
import dev.cairn.platform.page.Page;
import dev.cairn.query.DiffReads;
import jakarta.enterprise.context.ApplicationScoped;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Tools that write commits and read the commit log; {@code docs/commits.md}. */
@ApplicationScoped
class CommitTools implements ToolSource {
  private static final String CATEGORY = "Commit";
  private static final Set<String> PAGED = Set.of(LIMIT, CURSOR);

  private final ReadAccess readAccess;
  private final Commits commits;
  private final CommitLog log;
  private final DiffReads differences;

  CommitTools(ReadAccess readAccess, Commits commits, CommitLog log, DiffReads differences) {
    this.readAccess = readAccess;
    this.commits = commits;
    this.log = log;
    this.differences = differences;
  }

  @Override
  public int order() {
    return 7;
  }

  @Override
  public Optional<Toolset> toolset() {
    return Optional.of(Toolset.COMMIT);
  }

  @Override
  public List<Tool> tools() {
    return List.of(
        Tool.ofRoute("commit_submit", "Write a batch of operations")
            .withEffect(Effect.ADDS)
            .describedAs(
                """
                Writes all operations or none. `about` makes an assertion; `type` and `members` make a
                collection; a bare name or kind: shape makes a shape. Later operations may refer to
                earlier ones as `$0`, `$1`. Use dryRun: true first if you are not sure. On an error
                nothing was written: its `errors` point to the mistake, as in /operations/3/data/size;
                fix it and call again. repo_describe has an example for each shape.
                """)
            .handledBy(CATEGORY, commits::submit),
        Tool.ofRoute("commit_log", "List commits")
            .describedAs(
                "The commits of a repository, newest first, with author, time and message.")
            .handledBy(CATEGORY, this::list),
        Tool.ofRoute("commit_get", "Read one commit")
            .describedAs("A commit with a page of its operations.")
            .handledBy(CATEGORY, this::get),
        Tool.ofRoute("commit_diff", "Compare two moments")
            .describedAs("What changed between two moments, once for each entity.")
            .handledBy(CATEGORY, this::diff));
  }

  private Object list(ToolCall call) {
    return readAccess.list(
        call,
        access ->
            log.list(
                access.requireUnrestricted(),
                CommitLog.Listing.of(call.parameters(CommitLog.Listing.PARAMETERS))));
  }

  private Object diff(ToolCall call) {
    var access = readAccess.of(call).requireUnrestricted();
    return differences.page(
        access, DiffReads.Request.of(call.parameters(DiffReads.Request.PARAMETERS)));
  }

  private Object get(ToolCall call) {
    var access = readAccess.of(call).requireUnrestricted();
    var parameters = call.parameters(PAGED, "commitId");
    return log.get(
        access, call.required("commitId"), Page.limit(parameters), parameters.text(CURSOR));
  }
}
