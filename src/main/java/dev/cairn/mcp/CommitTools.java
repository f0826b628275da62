package dev.cairn.mcp;

import static dev.cairn.mcp.Tool.optional;
import static dev.cairn.mcp.Tool.required;
import static dev.cairn.platform.Page.CURSOR;
import static dev.cairn.platform.Page.LIMIT;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.cairn.commit.CommitLog;
import dev.cairn.mcp.Tool.Effect;
import dev.cairn.platform.Page;
import jakarta.enterprise.context.ApplicationScoped;
import java.util.List;
import java.util.Set;

/** Tools that write, and that read the log of writes; {@code docs/commits.md}. */
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
        Tool.named("commit_submit", "Write a batch of operations")
            .inRepository()
            .that(Effect.ADDS)
            .describedAs(
                """
                Writes all operations or none. Each operation is `{operation: add | revise | retract
                | rename, name: "Shape/name", data, about?, expectedVersion?, skipExisting?}`:
                `about` (a wref) makes an assertion; `type` (pair, triple, set, list) and `members`
                a collection; a bare name or kind: shape a shape. Later operations may refer to
                earlier ones as `$0`, `$1`. `revise` replaces the whole `data`. Try with dryRun: true
                first where you are not sure. On an error nothing was written: its `errors` point to
                the place, as in /operations/3/data/size; mend that and call again. repo_describe has
                an example for each shape.
                """)
            .takes(
                required("operations", Schema.list("1 to 10,000 operations, in order", "object")),
                SharedSchemas.MESSAGE,
                optional("author", Schema.string("Who it is by, if not you")),
                optional("atomic", Schema.flag("false applies what it can and reports the rest")),
                optional("dryRun", Schema.flag("Answers the same, writes nothing")),
                SharedSchemas.IDEMPOTENCY_KEY)
            .gives(SharedSchemas.commit())
            .by(CATEGORY, this::submit),
        Tool.named("commit_log", "List commits")
            .inRepository()
            .open()
            .describedAs("The commits of a repository, newest first: who, when and why.")
            .takes(SharedSchemas.PAGED)
            .gives(Schema.page(view()))
            .by(CATEGORY, this::list),
        Tool.named("commit_get", "Read one commit")
            .inRepository()
            .open()
            .describedAs("A commit with a page of what its operations did.")
            .takes(required("commitId", Schema.string("16 hexadecimal digits")))
            .takes(SharedSchemas.PAGED)
            .gives(
                Schema.with(
                    Schema.with(view(), "nextCursor?", Schema.object().put("type", "string")),
                    "operations",
                    Schema.arrayOf(
                        Schema.object(
                            "opIndex:integer",
                            "operation:string",
                            "wref:string",
                            "version?:integer"))))
            .by(CATEGORY, this::get));
  }

  private static ObjectNode view() {
    return Schema.object(
        "commitId:string",
        "repoSeq:integer",
        "author:string",
        "message?:string",
        "createdAt:integer",
        "operationCount:integer",
        "hash:string",
        "parentHash?:string");
  }

  private Object submit(ToolCall call) {
    var access = commits.access(call);
    return commits.submit(access, call.object("idempotencyKey"), call.text("idempotencyKey"));
  }

  private Object list(ToolCall call) {
    var access = readAccess.of(call).unnarrowed();
    var parameters = call.parameters(PAGED);
    return log.list(access, Page.limit(parameters), parameters.text(CURSOR));
  }

  private Object get(ToolCall call) {
    var access = readAccess.of(call).unnarrowed();
    var parameters = call.parameters(PAGED, "commitId");
    return log.get(
        access, call.required("commitId"), Page.limit(parameters), parameters.text(CURSOR));
  }
}
