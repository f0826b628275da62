package dev.cairn.client;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import java.io.IOException;

/** The server itself. */
public final class ServerClient {
  private final Transport transport;

  ServerClient(Transport transport) {
    this.transport = transport;
  }

  /**
   * The version of the server's API, from the beginning of its OpenAPI document. It answers only if
   * the server does, so it is also a check of the connection.
   */
  public String apiVersion() {
    var call = Call.get("q", "openapi").query("format", "json").anonymous();
    try (var body = transport.watched(transport.open(call).body());
        var json = Json.mapper().createParser(body)) {
      return version(json);
    } catch (IOException e) {
      throw Problems.unexpected(call.toString(), 200);
    }
  }

  /** {@code /info/version}, without reading what follows it. */
  private static String version(JsonParser json) throws IOException {
    while (json.nextToken() != null) {
      if (json.currentToken() == JsonToken.FIELD_NAME
          && json.currentName().equals("version")
          && json.getParsingContext().getParent().hasCurrentName()
          && json.getParsingContext().getParent().getCurrentName().equals("info")) {
        return json.nextTextValue();
      }
    }
    throw new IOException("there is no version");
  }
}
