package dev.cairn.mcp;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.Map;

/**
 * Reads JSON-RPC messages: validates them, and removes members that only revision 2026-07-28 has
 * from the requests of revisions with a handshake. See {@code docs/mcp.md}, Revisions and
 * Transport.
 */
final class MessageReader {
  private static final int OK = 200;
  private static final int BAD_REQUEST = 400;
  private static final int MAX_ID_LENGTH = 256;
  private static final int MAX_BATCH = 20;

  private static final String STRING = "string";
  private static final String OBJECT = "object";

  /** The methods of the revisions with a handshake, and the parameters that each requires. */
  private static final Map<String, Map<String, String>> METHODS =
      Map.ofEntries(
          Map.entry("initialize", Map.of("protocolVersion", STRING)),
          Map.entry("ping", Map.of()),
          Map.entry("tools/list", Map.of()),
          Map.entry("tools/call", Map.of("name", STRING)),
          Map.entry("prompts/list", Map.of()),
          Map.entry("prompts/get", Map.of("name", STRING)),
          Map.entry("resources/list", Map.of()),
          Map.entry("resources/templates/list", Map.of()),
          Map.entry("resources/read", Map.of("uri", STRING)),
          Map.entry("completion/complete", Map.of("ref", OBJECT, "argument", OBJECT)));

  private MessageReader() {}

  /**
   * A JSON-RPC 2.0 message with a valid id, or without one.
   *
   * @throws McpError if it is not valid
   */
  static ObjectNode message(JsonNode message) {
    if (!(message instanceof ObjectNode object)
        || !object.path("jsonrpc").isTextual()
        || !object.path("jsonrpc").textValue().equals("2.0")) {
      throw McpError.notARequest();
    }
    checkId(object.path("id"));
    return object;
  }

  /**
   * The requests in the body of a revision with a handshake.
   *
   * @param body one message or a batch
   * @throws McpError if any message is not valid; then none is carried out
   */
  static List<ObjectNode> requests(JsonNode body) {
    if (!body.isArray()) {
      return request(body);
    }
    if (body.isEmpty() || body.size() > MAX_BATCH) {
      throw invalid("A batch must have 1 to " + MAX_BATCH + " messages.");
    }
    var requests = body.valueStream().flatMap(each -> request(each).stream()).toList();
    if (requests.stream().map(each -> each.get("id")).distinct().count() < requests.size()) {
      throw invalid("The messages of a batch must have different ids.");
    }
    return requests;
  }

  /** The request; empty for a notification, which has no effect. */
  private static List<ObjectNode> request(JsonNode body) {
    var message = message(body);
    if (!message.has("method")) {
      throw McpError.notARequest();
    }
    if (!message.has("id")) {
      return List.of();
    }
    var method = message.path("method").asText();
    var required = METHODS.get(method);
    if (required == null) {
      throw McpError.noMethod(OK);
    }
    checkParams(message.path("params"), required);
    removeLaterMembers(message.path("params"));
    if (method.equals("completion/complete")) {
      checkCompletion(message.get("params"));
    }
    return List.of(message);
  }

  private static void checkId(JsonNode id) {
    if (!(id.isMissingNode()
        || (id.isIntegralNumber() && id.canConvertToLong())
        || (id.isTextual() && id.textValue().length() <= MAX_ID_LENGTH))) {
      throw invalid(
          "An id must be an integer, or a string of at most " + MAX_ID_LENGTH + " characters.");
    }
  }

  private static void checkParams(JsonNode params, Map<String, String> required) {
    if (!((params.isMissingNode() && required.isEmpty()) || params.isObject())) {
      throw McpError.params("`params` must be an object.");
    }
    required.forEach(
        (name, type) -> {
          var value = params.path(name);
          if (type.equals(STRING) ? !value.isTextual() : !value.isObject()) {
            throw McpError.params("`%s` must be a JSON %s.".formatted(name, type));
          }
        });
    for (var name : List.of("_meta", "arguments")) {
      if (params.has(name) && !params.path(name).isObject()) {
        throw McpError.params("`" + name + "` must be an object.");
      }
    }
    checkId(params.path("_meta").path("progressToken"));
  }

  /** Removes members that only requests of revision 2026-07-28 have. */
  private static void removeLaterMembers(JsonNode params) {
    if (params instanceof ObjectNode object) {
      object.remove(List.of("inputResponses", "requestState"));
      object.withObject("/_meta").retain("progressToken");
    }
  }

  private static void checkCompletion(JsonNode params) {
    var ref = params.get("ref");
    var named =
        switch (ref.path("type").asText()) {
          case "ref/prompt" -> ref.path("name");
          case "ref/resource" -> ref.path("uri");
          default -> MissingNode.getInstance();
        };
    var argument = params.get("argument");
    if (!named.isTextual()
        || !argument.path("name").isTextual()
        || !argument.path("value").isTextual()) {
      throw McpError.params(
          "`ref` must name a prompt or a resource, and `argument` must have a name and a value.");
    }
  }

  private static McpError invalid(String message) {
    return McpError.of(BAD_REQUEST, McpError.INVALID_REQUEST, message);
  }
}
