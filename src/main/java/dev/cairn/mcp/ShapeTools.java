package dev.cairn.mcp;

import static dev.cairn.mcp.Tool.optional;
import static dev.cairn.mcp.Tool.required;
import static dev.cairn.platform.page.Page.CURSOR;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.cairn.mcp.Tool.Argument;
import dev.cairn.mcp.Tool.Effect;
import dev.cairn.model.Problem;
import dev.cairn.platform.page.Page;
import dev.cairn.query.EntityFilter;
import dev.cairn.query.EntityReads;
import dev.cairn.query.ShownFields;
import dev.cairn.query.ThingReads;
import jakarta.enterprise.context.ApplicationScoped;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Tools for the shapes of a repository; {@code docs/mcp.md}. */
@ApplicationScoped
class ShapeTools implements ToolSource {
  private static final String CATEGORY = "Shapes";
  private static final Argument NAME =
      required("name", Schema.string("The shape's name, such as Sensor"));
  private static final String DEFINITION_SYNTAX =
      """
      {description?, about?, fields: {name: type}}; about is true (only assertions), false (only\
       things), or a list of the shapes and globs that its assertions may be about; a type is\
       "string", "number", "boolean", "wref", "array", "any", ["string"] for a list, an object of\
       fields, or {type, description?, and minLength maxLength pattern enum | minimum maximum\
       integer | items minItems maxItems | shape}. A ? after a field's name or type makes it optional\
      """;

  private final ReadAccess readAccess;
  private final EntityReads entities;
  private final ThingReads things;
  private final Commits commits;

  ShapeTools(ReadAccess readAccess, EntityReads entities, ThingReads things, Commits commits) {
    this.readAccess = readAccess;
    this.entities = entities;
    this.things = things;
    this.commits = commits;
  }

  @Override
  public int order() {
    return 5;
  }

  @Override
  public Optional<Toolset> toolset() {
    return Optional.of(Toolset.COMMIT);
  }

  @Override
  public List<Tool> tools() {
    return List.of(
        Tool.ofRoute("shape_list", "List shapes")
            .describedAs(
                """
                The shapes (schemas) of a repository with their definitions. Prefer repo_describe to
                start with: it adds counts, samples and ready examples.
                """)
            .handledBy(CATEGORY, this::list),
        Tool.ofRoute("shape_get", "Read one shape")
            .describedAs("One shape, including built-in ones, now or at a version.")
            .handledBy(CATEGORY, this::get),
        Tool.named("shape_create", "Define a shape")
            .inRepository()
            .withEffect(Effect.ADDS)
            .describedAs(
                """
                Adds a shape in a commit of its own; then commit_submit can add things of it. Describe
                each field, so that others understand your model. On ALREADY_EXISTS use shape_revise.
                """)
            .takes(NAME, required("definition", definition()))
            .takesLike("commit_submit", "message", "idempotencyKey", "return")
            .returnsLike("commit_submit")
            .handledBy(CATEGORY, call -> write(call, "add")),
        Tool.named("shape_revise", "Change a shape")
            .inRepository()
            .withEffect(Effect.ADDS)
            .describedAs(
                """
                Replaces a shape's whole definition with a new version. Existing entities stay as they
                are; they are validated against it when they are revised.
                """)
            .takes(
                NAME,
                required("definition", Schema.map("The whole definition, as in shape_create")),
                optional(
                    "expectedVersion",
                    Schema.ordinal("CONFLICT unless this is the current version")))
            .takesLike("commit_submit", "message", "idempotencyKey", "return")
            .returnsLike("commit_submit")
            .handledBy(CATEGORY, call -> write(call, "revise")));
  }

  private static ObjectNode definition() {
    var schema = Schema.object("description?:string", "fields:object");
    var about = schema.withObject("/properties/about");
    about.putArray("type").add("boolean").add("array");
    about.putObject("items").put("type", "string");
    return schema.put("description", DEFINITION_SYNTAX);
  }

  private Object list(ToolCall call) {
    return readAccess.list(
        call,
        access -> {
          var parameters = call.parameters(EntityFilter.SHAPES_PARAMETERS);
          return entities.page(
              access,
              "shapes",
              EntityFilter.ofShapes(parameters),
              ShownFields.of(parameters),
              Page.limit(parameters),
              parameters.text(CURSOR));
        });
  }

  private Object get(ToolCall call) {
    var access = readAccess.of(call);
    var parameters = call.parameters(Set.of("version"), "name");
    return things.get(
        access,
        EntityFilter.namedShape(call.required("name")),
        parameters.integer("version", 1, Integer.MAX_VALUE),
        Optional.empty());
  }

  private Object write(ToolCall call, String operation) {
    var access = commits.access(call);
    try {
      return commits.submit(access, call, operation(call, operation));
    } catch (Problem e) {
      throw e.moved("/operations/0/data", "/definition").moved("/operations/0", "");
    }
  }

  private static ObjectNode operation(ToolCall call, String operation) {
    var json = JsonNodeFactory.instance.objectNode();
    json.put("operation", operation).put("kind", "shape").put("name", call.required("name"));
    json.set("data", call.arguments().get("definition"));
    if (call.arguments().has("expectedVersion")) {
      json.set("expectedVersion", call.arguments().get("expectedVersion"));
    }
    return json;
  }
}
