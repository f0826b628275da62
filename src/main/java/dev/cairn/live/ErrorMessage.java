package dev.cairn.live;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.cairn.platform.http.Failure;
import java.nio.charset.StandardCharsets;

/** The message {@code error} of the service; see {@code docs/live.md}, Live queries. */
final class ErrorMessage {
  private static final JsonMapper JSON = JsonMapper.builder().build();

  private ErrorMessage() {}

  /**
   * The message, as JSON in UTF-8.
   *
   * @param id of the message of the client, or of the query; null for none
   * @param hasEnded whether the query has no more results
   */
  static byte[] of(String id, Failure failure, boolean hasEnded) {
    try {
      var message = JSON.createObjectNode().put("type", "error");
      if (id != null) {
        message.put("id", id);
      }
      if (hasEnded) {
        message.put("ended", true);
      }
      JSON.readTree(failure.document().toJson()).properties().stream()
          .filter(member -> !member.getKey().equals("type"))
          .forEach(member -> message.set(member.getKey(), member.getValue()));
      return message.toString().getBytes(StandardCharsets.UTF_8);
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("a problem document is JSON", e);
    }
  }
}
