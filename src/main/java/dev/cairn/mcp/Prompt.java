package dev.cairn.mcp;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.function.Function;

/**
 * A template that a user can choose to start a conversation; {@code docs/mcp.md}, Prompts.
 *
 * @param handler creates the result: {@code description} and {@code messages}
 */
record Prompt(
    String name,
    String title,
    String description,
    List<Argument> arguments,
    Function<ToolCall, ObjectNode> handler) {

  /** An argument of the template; its value is a string. */
  record Argument(String name, String description, boolean isRequired) {}

  /** The prompt as {@code prompts/list} shows it. */
  ObjectNode listed() {
    var listed = JsonNodeFactory.instance.objectNode();
    listed.put("name", name).put("title", title).put("description", description);
    var array = listed.putArray("arguments");
    for (var argument : arguments) {
      array
          .addObject()
          .put("name", argument.name())
          .put("description", argument.description())
          .put("required", argument.isRequired());
    }
    return listed;
  }

  /**
   * The result of {@code prompts/get}.
   *
   * @throws McpError if an argument is missing or is not a string
   */
  ObjectNode get(ToolCall call) {
    for (var argument : arguments) {
      var value = call.arguments().get(argument.name());
      if (value == null ? argument.isRequired() : !value.isTextual()) {
        throw McpError.params("The argument `" + argument.name() + "` must be a string.");
      }
    }
    return handler.apply(call);
  }
}
