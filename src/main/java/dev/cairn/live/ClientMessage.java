package dev.cairn.live;

import com.fasterxml.jackson.databind.JsonNode;
import dev.cairn.model.Allowance;
import dev.cairn.model.IJson;
import dev.cairn.model.Problem;
import dev.cairn.platform.http.RequestBody;
import io.quarkus.runtime.annotations.RegisterForReflection;
import java.nio.charset.StandardCharsets;

/**
 * A message of a client; see {@code docs/live.md}, Live queries.
 *
 * @param id what the client calls the query
 * @param query the parameters of the query; null to unsubscribe
 */
@RegisterForReflection
record ClientMessage(String type, String id, JsonNode query) {
  static final String SUBSCRIBE = "subscribe";
  static final String UNSUBSCRIBE = "unsubscribe";

  /** The maximum length of an id, in characters. */
  static final int MAX_ID = 100;

  private static final int MAX_VALUES = 2_000;

  /**
   * The JSON of a message.
   *
   * @throws Problem {@code VALIDATION_ERROR} if it is not an object
   */
  static JsonNode parse(String text) {
    var json = IJson.read(text.getBytes(StandardCharsets.UTF_8), new Allowance(MAX_VALUES));
    if (!json.isObject()) {
      throw Problem.invalid("", "A message must be a JSON object.");
    }
    return json;
  }

  /** The valid id of a message; null if it has none. */
  static String id(JsonNode json) {
    var id = json.path("id");
    return id.isTextual() && isValid(id.textValue()) ? id.textValue() : null;
  }

  private static boolean isValid(String id) {
    return !id.isEmpty() && id.length() <= MAX_ID;
  }

  /**
   * The message in an object.
   *
   * @throws Problem {@code VALIDATION_ERROR}
   */
  static ClientMessage of(JsonNode json) {
    var message = RequestBody.asRecord(json, ClientMessage.class);
    RequestBody.required("/type", message.type);
    if (!message.type.equals(SUBSCRIBE) && !message.type.equals(UNSUBSCRIBE)) {
      throw Problem.invalid("/type", "`type` must be subscribe or unsubscribe.");
    }
    RequestBody.required("/id", message.id);
    if (!isValid(message.id)) {
      throw Problem.invalid("/id", "`id` must have at most %d characters.".formatted(MAX_ID));
    }
    boolean subscribes = message.type.equals(SUBSCRIBE);
    if (subscribes && (message.query == null || !message.query.isObject())) {
      throw Problem.invalid(
          "/query", "`query` must be an object with the parameters of `GET …/query`.");
    }
    if (!subscribes && message.query != null) {
      throw Problem.invalid("/query", "`query` belongs to subscribe.");
    }
    return message;
  }
}
