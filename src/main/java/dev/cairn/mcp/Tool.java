package dev.cairn.mcp;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;

/**
 * A tool for agents, the same in every revision of the protocol; {@code docs/mcp.md}, Tools.
 *
 * @param name in snake case, the resource first
 * @param title a short title for people
 * @param description a description for agents: when to use it, what it returns, what to do next
 * @param category the heading in the list of {@code capabilities}
 * @param isOpen whether it can be called without credentials to read public content
 * @param isInRepository whether it works on one repository, which the arguments {@code org} and
 *     {@code repo} name if the path does not
 * @param arguments the arguments except {@code org} and {@code repo}
 * @param keywords further keywords of the JSON Schema of the arguments
 * @param output the JSON Schema of its structured result
 * @param deletes the argument that names what a call deletes, whose value {@code confirm} must
 *     repeat; null for a tool that deletes nothing
 * @param handler executes calls
 */
record Tool(
    String name,
    String title,
    String description,
    String category,
    Effect effect,
    boolean isOpen,
    boolean isInRepository,
    List<Argument> arguments,
    ObjectNode keywords,
    ObjectNode output,
    String deletes,
    Handler handler) {

  /** The argument of a tool that deletes something, by which the caller confirms it. */
  static final String CONFIRM = "confirm";

  private static final List<Argument> REPOSITORY_ARGUMENTS =
      List.of(
          new Argument("org", JsonNodeFactory.instance.objectNode().put("type", "string"), true),
          new Argument("repo", JsonNodeFactory.instance.objectNode().put("type", "string"), true));

  /** The effect of a call on stored content. */
  enum Effect {
    /** Changes nothing. */
    READS(true, false, true),
    /** Adds something; another call adds another one. */
    ADDS(false, false, false),
    /** Sets a state; repeated calls have no further effect. */
    SETS(false, false, true),
    /** Deletes something that cannot be restored. */
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
  record Argument(String name, ObjectNode schema, boolean isRequired) {
    private Argument orSeveral() {
      var several = schema.deepCopy();
      several.putArray("type").add("string").add("array");
      several.putObject("items").put("type", "string");
      return new Argument(name, several, isRequired);
    }
  }

  /** Executes calls of a tool; throws the same exceptions as a resource of the REST API. */
  @FunctionalInterface
  interface Handler {
    /**
     * Executes a call.
     *
     * @return the result of the service method, to be written as JSON, or a {@link ToolResult}
     */
    Object answer(ToolCall call);
  }

  /** A required argument. */
  static Argument required(String name, ObjectNode schema) {
    return new Argument(name, schema, true);
  }

  /** An optional argument. */
  static Argument optional(String name, ObjectNode schema) {
    return new Argument(name, schema, false);
  }

  /**
   * The arguments at one of the two paths.
   *
   * @param bound whether the path names the repository
   */
  List<Argument> arguments(boolean bound) {
    if (bound || !isInRepository) {
      return arguments;
    }
    var all = new ArrayList<>(REPOSITORY_ARGUMENTS);
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
      // These hints have no meaning for a tool that only reads.
      annotations.put("destructiveHint", effect.isDestructive());
      if (effect.isIdempotent()) {
        annotations.put("idempotentHint", true);
      }
    }
    return listed;
  }

  /** Starts a tool for an operation of the REST API, with its arguments and result. */
  static Builder ofRoute(String name, String title) {
    var schemas = ToolSchemas.of(name);
    var tool = new Builder(name, title).returnsLike(name);
    tool.isOpen = schemas.open();
    tool.isInRepository = schemas.inRepository();
    return tool.takesLike(name, schemas.arguments().keySet().toArray(String[]::new));
  }

  /** Starts any other tool. */
  static Builder named(String name, String title) {
    return new Builder(name, title);
  }

  /** Builds a tool. */
  static final class Builder {
    private final String name;
    private final String title;
    private final List<Argument> arguments = new ArrayList<>();
    private final ObjectNode keywords = JsonNodeFactory.instance.objectNode();
    private String description;
    private Effect effect = Effect.READS;
    private boolean isOpen;
    private boolean isInRepository;
    private ObjectNode output;
    private String deletes;

    private Builder(String name, String title) {
      this.name = name;
      this.title = title;
    }

    Builder describedAs(String text) {
      this.description = text.strip();
      return this;
    }

    Builder inRepository() {
      this.isInRepository = true;
      return this;
    }

    /** Allows calls without credentials that read public content. */
    Builder open() {
      this.isOpen = true;
      return this;
    }

    /** Sets an effect other than reading, and other than that of {@link #deleting}. */
    Builder withEffect(Effect other) {
      this.effect = other;
      return this;
    }

    /**
     * Deletes what an argument names; a call must repeat its value in {@code confirm}.
     *
     * @param named {@code repo} for the repository itself, whose name may also be {@code org/repo}
     */
    Builder deleting(String named) {
      this.effect = Effect.DESTROYS;
      this.deletes = named;
      return takes(required(CONFIRM, Schema.string("Must repeat the name of what is deleted")));
    }

    Builder takes(Argument... more) {
      arguments.addAll(List.of(more));
      return this;
    }

    /** Takes these arguments with the schemas of another tool, which must be one of a route. */
    Builder takesLike(String tool, String... names) {
      var schemas = ToolSchemas.of(tool);
      for (var argument : names) {
        var schema = schemas.arguments().get(argument);
        arguments.add(new Argument(argument, schema, schemas.required().contains(argument)));
      }
      return this;
    }

    /** Lets an argument that is a text also be an array of texts, with another result. */
    Builder takingSeveral(String name) {
      arguments.replaceAll(
          argument -> argument.name().equals(name) ? argument.orSeveral() : argument);
      return returns(JsonNodeFactory.instance.objectNode().put("type", "object"));
    }

    /** Declares that one argument requires another. */
    Builder requiring(String argument, String other) {
      keywords.withObject("/dependentRequired").putArray(argument).add(other);
      return this;
    }

    /** Returns the same result as another tool, which must be one of a route. */
    Builder returnsLike(String tool) {
      return returns(ToolSchemas.of(tool).result());
    }

    Builder returns(ObjectNode schema) {
      this.output = schema;
      return this;
    }

    Tool handledBy(String category, Handler handler) {
      return new Tool(
          name,
          title,
          description,
          category,
          effect,
          isOpen,
          isInRepository,
          List.copyOf(arguments),
          keywords,
          output,
          deletes,
          handler);
    }
  }
}
