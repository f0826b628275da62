package dev.cairn.mcp;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.cairn.commit.CommitAnswer;
import dev.cairn.model.Allowance;
import dev.cairn.model.ErrorCode;
import dev.cairn.model.IJson;
import dev.cairn.model.Problem;
import java.io.ByteArrayOutputStream;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * A message that is longer than others may be: a call of {@code commit_submit}. Its operations are
 * not parsed with the message, where they would take memory while the commit waits for its turn,
 * but by the commit, as those of a request by REST. See {@code docs/mcp.md}, Transport.
 *
 * @param message the message, without its operations
 * @param commit the body of the commit, as by REST
 */
record LargeCommit(JsonNode message, byte[] commit) {
  private static final String TOOL = "commit_submit";
  private static final String OPERATIONS = "operations";
  private static final byte[] NO_OPERATIONS = "[]".getBytes(UTF_8);

  /** The arguments of the tool that are no members of the commit. */
  private static final List<String> NOT_OF_COMMIT =
      List.of("org", "repo", "idempotencyKey", CommitAnswer.Form.PARAMETER, OPERATIONS);

  /** The limits of the message without its operations: those of any body with a few fields. */
  private static final int MAX_REST_BYTES = 64 * 1024;

  private static final int MAX_REST_VALUES = 2_000;

  /** The bytes from and to which a message has its operations. */
  private record Range(int from, int to) {}

  /**
   * Reads a message.
   *
   * @param depth as in {@link IJson#read(byte[], int, Allowance)}
   * @throws Problem {@code PAYLOAD_TOO_LARGE} if it is no call of {@code commit_submit}, or too
   *     long without its operations; {@code VALIDATION_ERROR} if it is no valid JSON
   */
  static LargeCommit read(byte[] bytes, int depth) {
    var operations = operations(bytes).orElseThrow(LargeCommit::tooLarge);
    if (bytes.length - (operations.to() - operations.from()) > MAX_REST_BYTES) {
      throw tooLarge();
    }
    var rest = withoutOperations(bytes, operations);
    var message = IJson.read(rest, depth, new Allowance(MAX_REST_VALUES));
    if (!message.path("method").asText().equals("tools/call")
        || !message.path("params").path("name").asText().equals(TOOL)) {
      throw tooLarge();
    }
    return new LargeCommit(message, commit(bytes, operations, message.at("/params/arguments")));
  }

  private static Problem tooLarge() {
    return Problem.of(
        ErrorCode.PAYLOAD_TOO_LARGE,
        "Only a call of `%s` may have more than 1 MiB, and at most 64 KiB besides its `%s`."
            .formatted(TOOL, OPERATIONS));
  }

  private static Optional<Range> operations(byte[] bytes) {
    var search = new JsonSearch(bytes);
    if (!search.enter("params") || !search.enter("arguments") || !search.enter(OPERATIONS)) {
      return Optional.empty();
    }
    int from = search.position();
    search.skipValue();
    return bytes[from] == '[' ? Optional.of(new Range(from, search.position())) : Optional.empty();
  }

  private static byte[] withoutOperations(byte[] bytes, Range operations) {
    var rest = new ByteArrayOutputStream();
    rest.write(bytes, 0, operations.from());
    rest.writeBytes(NO_OPERATIONS);
    rest.write(bytes, operations.to(), bytes.length - operations.to());
    return rest.toByteArray();
  }

  private static byte[] commit(byte[] bytes, Range operations, JsonNode arguments) {
    ObjectNode others = JsonNodeFactory.instance.objectNode();
    others.setAll((ObjectNode) arguments);
    others.remove(NOT_OF_COMMIT);
    others.properties().removeIf(argument -> argument.getValue().isNull());
    var begin = ("{\"" + OPERATIONS + "\":").getBytes(UTF_8);
    var end = (others.isEmpty() ? "}" : "," + others.toString().substring(1)).getBytes(UTF_8);
    int length = operations.to() - operations.from();
    var commit = Arrays.copyOf(begin, begin.length + length + end.length);
    System.arraycopy(bytes, operations.from(), commit, begin.length, length);
    System.arraycopy(end, 0, commit, begin.length + length, end.length);
    return commit;
  }
}
