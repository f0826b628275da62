package dev.cairn.mcp;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * What a message of the older revisions must look like before the extension sees it, which leaves
 * some of what it does not expect without an answer, and keeps what a handshake says. See {@code
 * docs/mcp.md}, Revisions.
 */
final class MessageValidator {
  private static final int INVALID = 400;
  private static final int MAX_ID = 256;
  private static final int MAX_NAME = 100;

  /** The first revisions allow several messages at once. */
  private static final int MAX_BATCH = 20;

  private static final String STRING = "string";
  private static final String OBJECT = "object";

  /** What a client may say that it can do, of which the extension makes use. */
  private static final List<String> CAPABILITIES = List.of("sampling", "elicitation", "roots");

  /** The methods with the parameters that each needs. */
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
          Map.entry("resources/subscribe", Map.of("uri", STRING)),
          Map.entry("resources/unsubscribe", Map.of("uri", STRING)),
          Map.entry("logging/setLevel", Map.of("level", STRING)),
          Map.entry("completion/complete", Map.of("ref", OBJECT, "argument", OBJECT)));

  /** What no answer is expected to. */
  private static final Set<String> NOTIFICATIONS =
      Set.of("notifications/initialized", "notifications/roots/list_changed");

  private MessageValidator() {}

  /**
   * What goes on to the extension; empty where nothing is to.
   *
   * @param message one message, or several
   * @param hasSession whether the client names one, so that it may answer what the server asked
   * @throws McpError where it is none
   */
  static List<ObjectNode> checked(JsonNode message, boolean hasSession) {
    if (!message.isArray()) {
      return one(message, hasSession);
    }
    if (message.isEmpty() || message.size() > MAX_BATCH) {
      throw invalid("1 to " + MAX_BATCH + " messages can be sent at once.");
    }
    var all = message.valueStream().flatMap(each -> one(each, hasSession).stream()).toList();
    // As texts, by which a message is found again: 1 and "1" are the same.
    var ids = new HashSet<String>();
    if (!all.stream().map(each -> each.path("id").asText()).allMatch(ids::add)) {
      throw invalid("Messages that are sent at once have ids of their own.");
    }
    return all;
  }

  private static List<ObjectNode> one(JsonNode message, boolean hasSession) {
    if (!(message instanceof ObjectNode object)
        || !object.path("jsonrpc").asText().equals("2.0")
        || !object.path("jsonrpc").isTextual()) {
      throw invalid("A JSON-RPC 2.0 request is expected.");
    }
    checkId(object.path("id"));
    if (!object.has("method")) {
      return answer(object, hasSession);
    }
    var method = object.path("method").asText();
    if (object.path("id").isMissingNode()) {
      return NOTIFICATIONS.contains(method) ? List.of(notification(method)) : List.of();
    }
    var needed = METHODS.get(method);
    if (needed == null) {
      throw McpError.of(200, McpError.METHOD_NOT_FOUND, "There is no such method here.");
    }
    checkParams(object.path("params"), needed);
    switch (method) {
      case "initialize" -> cut((ObjectNode) object.get("params"));
      case "completion/complete" -> checkCompletion(object.get("params"));
      default -> dropNulls(object.path("params").path("arguments"));
    }
    return List.of(object);
  }

  private static void checkId(JsonNode id) {
    if (!(id.isMissingNode()
        || (id.isIntegralNumber() && id.canConvertToLong())
        || (id.isTextual() && id.textValue().length() <= MAX_ID))) {
      throw invalid("An id is an integer, or a string of at most " + MAX_ID + " characters.");
    }
  }

  private static List<ObjectNode> answer(ObjectNode object, boolean hasSession) {
    boolean isAnswer = object.path("result").isObject() != object.path("error").isObject();
    if (!hasSession || !isAnswer || object.path("id").isMissingNode()) {
      throw invalid("A JSON-RPC 2.0 request is expected.");
    }
    return List.of(object);
  }

  private static ObjectNode notification(String method) {
    return JsonNodeFactory.instance.objectNode().put("jsonrpc", "2.0").put("method", method);
  }

  private static void checkParams(JsonNode params, Map<String, String> needed) {
    if (!((params.isMissingNode() && needed.isEmpty()) || params.isObject())) {
      throw McpError.params("`params` must be an object.");
    }
    needed.forEach(
        (name, type) -> {
          var value = params.path(name);
          if (type.equals(STRING) ? !value.isTextual() : !value.isObject()) {
            throw McpError.params("`%s` must be a JSON %s.".formatted(name, type));
          }
        });
    for (var name : List.of("_meta", "arguments")) {
      if (!params.path(name).isMissingNode() && !params.path(name).isObject()) {
        throw McpError.params("`" + name + "` must be an object.");
      }
    }
    if (!params.path("cursor").isMissingNode() && !params.path("cursor").isTextual()) {
      throw McpError.params("`cursor` must be a string.");
    }
    if (params.path("_meta") instanceof ObjectNode meta) {
      checkMeta(meta);
    }
  }

  private static void checkMeta(ObjectNode meta) {
    var token = meta.path("progressToken");
    if (!token.isMissingNode()) {
      checkId(token);
    }
    // What a client is and can do, it says by the handshake in these revisions.
    meta.retain("progressToken");
  }

  /** A handshake is kept for a while: of what it says only what is made use of. */
  private static void cut(ObjectNode params) {
    var client = params.path("clientInfo");
    params
        .putObject("clientInfo")
        .put("name", shortened(client.path("name")))
        .put("version", shortened(client.path("version")));
    var said = params.path("capabilities");
    var kept = params.putObject("capabilities");
    CAPABILITIES.stream().filter(name -> said.path(name).isObject()).forEach(kept::putObject);
    params.retain("protocolVersion", "clientInfo", "capabilities");
  }

  private static String shortened(JsonNode text) {
    return text.asText().substring(0, Math.min(MAX_NAME, text.asText().length()));
  }

  private static void checkCompletion(JsonNode params) {
    var ref = params.get("ref");
    var named = ref.path("type").asText().equals("ref/prompt") ? ref.path("name") : ref.path("uri");
    var argument = params.get("argument");
    if (!ref.path("type").isTextual()
        || !named.isTextual()
        || !argument.path("name").isTextual()
        || !argument.path("value").isTextual()) {
      throw McpError.params("`ref` names a prompt or a resource, `argument` a name and a value.");
    }
  }

  /** An argument that is null is left out, which the extension cannot say. */
  private static void dropNulls(JsonNode arguments) {
    if (arguments instanceof ObjectNode object) {
      object.properties().removeIf(argument -> argument.getValue().isNull());
    }
  }

  private static McpError invalid(String message) {
    return McpError.of(INVALID, McpError.INVALID_REQUEST, message);
  }
}
