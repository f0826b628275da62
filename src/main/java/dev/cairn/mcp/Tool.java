package dev.cairn.mcp;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;

/**
 * Something that agents can do, the same over every revision of the protocol; {@code docs/mcp.md},
 * Tools.
 *
 * @param name in snake case, what it is about first
 * @param title for people
 * @param description for agents: when to use it, what comes back, what to do next
 * @param category what it is listed under
 * @param isOpen whether it can be called without credentials, as far as what it reads is public
 * @param inRepository whether it is about one repository, which its arguments {@code org} and
 *     {@code repo} name if the path does not
 * @param arguments without those two
 * @param keywords what the JSON Schema of the arguments says beside them
 * @param output the JSON Schema of its structured result
 * @param handler does it
 */
record Tool(
    String name,
    String title,
    String description,
    String category,
    Effect effect,
    boolean isOpen,
    boolean inRepository,
    List<Argument> arguments,
    ObjectNode keywords,
    ObjectNode output,
    Handler handler) {

  private static final List<Argument> OF_REPOSITORY =
      List.of(
          new Argument("org", JsonNodeFactory.instance.objectNode().put("type", "string"), true),
          new Argument("repo", JsonNodeFactory.instance.objectNode().put("type", "string"), true));

  /** What a call may do to what there is. */
  enum Effect {
    /** Changes nothing. */
    READS(true, false, true),
    /** Makes something, another time another one. */
    ADDS(false, false, false),
    /** Leaves the same state however often it is called. */
    SETS(false, false, true),
    /** Takes away what cannot be had back. */
    DESTROYS(false, true, true);

    private final boolean readOnly;
    private final boolean destructive;
    private final boolean idempotent;

    Effect(boolean readOnly, boolean destructive, boolean idempotent) {
      this.readOnly = readOnly;
      this.destructive = destructive;
      this.idempotent = idempotent;
    }

    boolean isReadOnly() {
      return readOnly;
    }

    boolean isDestructive() {
      return destructive;
    }

    boolean isIdempotent() {
      return idempotent;
    }
  }

  /** An argument with the JSON Schema of its value. */
  record Argument(String name, ObjectNode schema, boolean isRequired) {}

  /** What a tool does; throws what goes wrong, as a resource of the REST API does. */
  @FunctionalInterface
  interface Handler {
    /**
     * Answers a call.
     *
     * @return what the service method gave, to be written as JSON, or a {@link ToolResult}
     */
    Object answer(ToolCall call);
  }

  /** An argument that must be given. */
  static Argument required(String name, ObjectNode schema) {
    return new Argument(name, schema, true);
  }

  /** An argument that may be left out. */
  static Argument optional(String name, ObjectNode schema) {
    return new Argument(name, schema, false);
  }

  /**
   * The arguments at one of the two paths.
   *
   * @param bound whether the path names the repository
   */
  List<Argument> arguments(boolean bound) {
    if (bound || !inRepository) {
      return arguments;
    }
    var all = new ArrayList<>(OF_REPOSITORY);
    all.addAll(arguments);
    return all;
  }

  /** The JSON Schema of the arguments at one of the two paths. */
  ObjectNode input(boolean bound) {
    var schema = Schema.object();
    var properties = schema.putObject("properties");
    for (var argument : arguments(bound)) {
      properties.set(argument.name(), argument.schema());
      if (argument.isRequired()) {
        schema.withArray("/required").add(argument.name());
      }
    }
    schema.put("additionalProperties", false);
    return schema.setAll(keywords);
  }

  /** The tool as {@code tools/list} shows it. */
  ObjectNode listed(boolean bound) {
    var listed = JsonNodeFactory.instance.objectNode();
    listed.put("name", name).put("title", title).put("description", description);
    listed.set("inputSchema", input(bound));
    listed.set("outputSchema", output);
    var annotations = listed.putObject("annotations");
    annotations.put("readOnlyHint", effect.isReadOnly()).put("openWorldHint", false);
    if (!effect.isReadOnly()) {
      // They say nothing of a tool that only reads.
      annotations
          .put("destructiveHint", effect.isDestructive())
          .put("idempotentHint", effect.isIdempotent());
    }
    return listed;
  }

  /** Begins a tool that offers an operation of the REST API, with what that takes and gives. */
  static Builder ofRoute(String name, String title) {
    var schemas = ToolSchemas.of(name);
    var tool = new Builder(name, title).givesAs(name);
    tool.isOpen = schemas.open();
    tool.inRepository = schemas.inRepository();
    return tool.takesAs(name, schemas.arguments().keySet().toArray(String[]::new));
  }

  /** Begins any other tool. */
  static Builder named(String name, String title) {
    return new Builder(name, title);
  }

  /** Puts a tool together. */
  static final class Builder {
    private final String name;
    private final String title;
    private final List<Argument> arguments = new ArrayList<>();
    private final ObjectNode keywords = JsonNodeFactory.instance.objectNode();
    private String description;
    private Effect effect = Effect.READS;
    private boolean isOpen;
    private boolean inRepository;
    private ObjectNode output;

    private Builder(String name, String title) {
      this.name = name;
      this.title = title;
    }

    Builder describedAs(String text) {
      this.description = text.strip();
      return this;
    }

    Builder inRepository() {
      this.inRepository = true;
      return this;
    }

    /** Can be called without credentials if what it reads is public. */
    Builder open() {
      this.isOpen = true;
      return this;
    }

    /** Other than a reading one. */
    Builder that(Effect does) {
      this.effect = does;
      return this;
    }

    Builder takes(Argument... more) {
      arguments.addAll(List.of(more));
      return this;
    }

    /** Takes these arguments as another tool does, one of a route. */
    Builder takesAs(String tool, String... names) {
      var schemas = ToolSchemas.of(tool);
      for (var argument : names) {
        var schema = schemas.arguments().get(argument);
        arguments.add(new Argument(argument, schema, schemas.required().contains(argument)));
      }
      return this;
    }

    /** One argument takes another. */
    Builder needing(String argument, String other) {
      keywords.withObject("/dependentRequired").putArray(argument).add(other);
      return this;
    }

    /** Gives what another tool gives, one of a route. */
    Builder givesAs(String tool) {
      return gives(ToolSchemas.of(tool).result());
    }

    Builder gives(ObjectNode schema) {
      this.output = schema;
      return this;
    }

    Tool by(String category, Handler handler) {
      return new Tool(
          name,
          title,
          description,
          category,
          effect,
          isOpen,
          inRepository,
          List.copyOf(arguments),
          keywords,
          output,
          handler);
    }
  }
}
