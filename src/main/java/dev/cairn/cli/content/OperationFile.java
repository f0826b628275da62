package dev.cairn.cli.content;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.cairn.cli.command.CommandFailure;
import dev.cairn.cli.command.ExitCode;
import dev.cairn.client.Json;
import java.io.IOException;
import java.util.List;

/** Reads the operations of a file in any form that makes sense. */
final class OperationFile {
  /** What one commit can have. */
  private static final int MAX_OPERATIONS = 10_000;

  private OperationFile() {}

  /**
   * The commit of a file.
   *
   * @throws CommandFailure if it has no operations, or too many
   */
  static ObjectNode read(CommandInput input, String file) throws IOException {
    var values = input.values(file);
    var request = request(values);
    int count = request.path("operations").size();
    if (count == 0) {
      throw new CommandFailure(
          ExitCode.INVALID,
          "There are no operations in %s: expected a commit, an array of operations, or one a line."
              .formatted(file));
    }
    if (count > MAX_OPERATIONS) {
      throw new CommandFailure(
          ExitCode.INVALID,
          "A commit has at most %d operations, and these are %d.".formatted(MAX_OPERATIONS, count),
          "cairn import " + file);
    }
    return request;
  }

  private static ObjectNode request(List<JsonNode> values) {
    if (values.size() == 1
        && values.getFirst() instanceof ObjectNode object
        && object.has("operations")) {
      return object;
    }
    var request = Json.mapper().createObjectNode();
    var operations = request.putArray("operations");
    if (values.size() == 1 && values.getFirst() instanceof ArrayNode array) {
      operations.addAll(array);
    } else {
      values.forEach(operations::add);
    }
    return request;
  }
}
