package dev.cairn.mcp;

import static dev.cairn.mcp.Tool.required;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.cairn.mcp.Tool.Argument;
import dev.cairn.mcp.Tool.Effect;
import dev.cairn.model.Problem;
import dev.cairn.model.Wref;
import dev.cairn.query.ThingReads;
import jakarta.enterprise.context.ApplicationScoped;
import java.util.List;
import java.util.Optional;

/** Tools for the raw content of a repository; {@code docs/reads.md}, Raw content. */
@ApplicationScoped
class ContentTools implements ToolSource {
  private static final String CATEGORY = "Repositories";

  private final RepositoryDocuments documents;
  private final Commits commits;
  private final ThingReads things;

  ContentTools(RepositoryDocuments documents, Commits commits, ThingReads things) {
    this.documents = documents;
    this.commits = commits;
    this.things = things;
  }

  @Override
  public int order() {
    return 4;
  }

  @Override
  public Optional<Toolset> toolset() {
    return Optional.of(Toolset.COMMIT);
  }

  @Override
  public List<Tool> tools() {
    return List.of(
        Tool.named("repo_content_get", "Read a repository's texts")
            .inRepository()
            .open()
            .describedAs(
                """
                An introduction to the repository (readme.md), instructions for agents (agents.md: read
                it before you write), or a summary generated from its shapes (llms.txt). Empty if nobody
                has written it.
                """)
            .takes(document("readme.md", "agents.md", "llms.txt"))
            .returns(Schema.object("document:string", "mimeType:string", "content:string"))
            .handledBy(CATEGORY, this::get),
        Tool.named("repo_content_set", "Write a repository's texts")
            .inRepository()
            .withEffect(Effect.SETS)
            .describedAs(
                """
                Replaces readme.md or agents.md in a commit of its own; former texts stay in
                thing_history of Content/Readme and Content/Agents.
                """)
            .takes(
                document("readme.md", "agents.md"),
                required("content", Schema.string("Markdown, at most 65,536 bytes")))
            .takesLike("commit_submit", "message", "return")
            .returnsLike("commit_submit")
            .handledBy(CATEGORY, this::set));
  }

  private static Argument document(String... names) {
    return required("document", Schema.word("The document", names));
  }

  private static RepositoryDocuments.Document document(ToolCall call) {
    var name = call.required("document");
    return RepositoryDocuments.Document.named(name)
        .orElseThrow(() -> Problem.invalid("/document", "There is no document `" + name + "`."));
  }

  private Object get(ToolCall call) {
    var document = document(call);
    var text = documents.text(document, call.org(), call.repo());
    var json = JsonNodeFactory.instance.objectNode();
    json.put("document", document.fileName()).put("mimeType", document.mimeType());
    return ToolResult.text(text, json.put("content", text));
  }

  private Object set(ToolCall call) {
    var access = commits.access(call);
    var name =
        document(call)
            .thing()
            .orElseThrow(
                () -> Problem.invalid("/document", "llms.txt is generated and cannot be written."));
    var operation = JsonNodeFactory.instance.objectNode();
    operation.put("name", name);
    if (things.exists(access, Wref.parse(name))) {
      operation.put("operation", "revise").put("active", true);
    } else {
      operation.put("operation", "add");
    }
    operation.putObject("data").set("content", call.arguments().get("content"));
    try {
      return commits.submit(access, call, operation);
    } catch (Problem e) {
      throw e.moved("/operations/0/data", "");
    }
  }
}
