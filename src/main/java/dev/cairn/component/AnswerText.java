package dev.cairn.component;

import com.fasterxml.jackson.core.JsonParser;
import dev.cairn.model.IJson;
import dev.cairn.model.StoredJson;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/**
 * What a server answered, as a part of our own answer. It is checked to be JSON and then passed on
 * as it is, since small values would take many times their length in memory.
 */
final class AnswerText {
  private AnswerText() {}

  /**
   * The body if it is one JSON value in UTF-8, nested no deeper than bodies of requests may be;
   * otherwise empty.
   */
  static Optional<String> json(byte[] body) {
    try (var parser = IJson.parser(new ByteArrayInputStream(body))) {
      return isOneValue(parser)
          ? Optional.of(new String(body, StandardCharsets.UTF_8))
          : Optional.empty();
    } catch (IOException e) {
      return Optional.empty();
    }
  }

  private static boolean isOneValue(JsonParser parser) throws IOException {
    if (parser.nextToken() == null) {
      return false;
    }
    int depth = 0;
    do {
      var token = parser.currentToken();
      if (token.isStructStart()) {
        depth++;
      } else if (token.isStructEnd()) {
        depth--;
      }
      if (depth > IJson.MAX_DEPTH) {
        return false;
      }
      parser.nextToken();
    } while (depth > 0);
    return parser.currentToken() == null;
  }

  /**
   * The body as JSON: itself if it is JSON, otherwise a string with its text. Bytes that are not
   * UTF-8 become replacement characters.
   *
   * @return null for an empty body
   */
  static String any(byte[] body) {
    return body.length == 0
        ? null
        : json(body)
            .orElseGet(
                () -> "\"" + StoredJson.escape(new String(body, StandardCharsets.UTF_8)) + "\"");
  }
}
