package dev.cairn.cli.content;

import com.fasterxml.jackson.core.JacksonException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import dev.cairn.cli.command.CommandFailure;
import dev.cairn.cli.command.ExitCode;
import dev.cairn.client.Json;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Option;

/** A definition of a shape, or a part of one, as options: {@code docs/model.md}, Shapes. */
public final class ShapeDefinition {
  @Option(
      names = {"-f", "--field"},
      paramLabel = "<name>=<type>",
      description =
          "A field: room=string, 'model?=string' may be absent, 'x={\"type\": \"number\"}'.")
  private List<String> fields = new ArrayList<>();

  @Option(names = "--description", paramLabel = "<text>", description = "What the shape is for.")
  private String description;

  @Option(
      names = {"-d", "--definition"},
      paramLabel = "<json>",
      description = "The whole definition as a JSON object, or @file.")
  private String definition;

  /** For picocli. */
  public ShapeDefinition() {}

  /** Whether nothing was given. */
  boolean isEmpty() {
    return fields.isEmpty() && description == null && definition == null;
  }

  /** Whether it is a whole definition, not only some fields. */
  boolean isWhole() {
    return definition != null;
  }

  /**
   * What was given as JSON: the whole definition with the fields in it, or the fields alone.
   *
   * @throws CommandFailure if it is not valid
   */
  ObjectNode toJson(CommandInput input) throws IOException {
    var json =
        definition == null
            ? Json.mapper().createObjectNode()
            : input.object("--definition", definition);
    if (description != null) {
      json.put("description", description);
    }
    for (var field : fields) {
      int equals = field.indexOf('=');
      if (equals < 1) {
        throw new CommandFailure(
            ExitCode.USAGE,
            "--field is <name>=<type>, such as room=string, not '%s'.".formatted(field));
      }
      json.withObjectProperty("fields")
          .set(field.substring(0, equals), type(field.substring(equals + 1)));
    }
    return json;
  }

  /** The name of a type, or its definition, which is JSON. */
  private static JsonNode type(String text) throws IOException {
    if (!text.startsWith("{") && !text.equals("null")) {
      return TextNode.valueOf(text);
    }
    try {
      return Json.mapper().readTree(text);
    } catch (JacksonException e) {
      throw new CommandFailure(
          ExitCode.INVALID,
          "The type %s is not valid JSON: %s.".formatted(text, e.getOriginalMessage()));
    }
  }
}
