package dev.cairn;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.cairn.openapi.Contract;
import io.restassured.RestAssured;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;

/**
 * The requests of tests that send very many: without RestAssured, which takes longer for one than
 * the service. Their answers are held against the OpenAPI document too.
 */
public final class Checked {
  private static final JsonMapper JSON = JsonMapper.builder().build();
  private static final HttpClient CLIENT =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

  private Checked() {}

  /**
   * The answer to a request.
   *
   * @param token what it is authorized by, or null
   * @param type the media type of the body
   * @param body null for none
   */
  public static HttpResponse<byte[]> send(
      String method, String path, String token, String type, String body) {
    var request =
        HttpRequest.newBuilder(URI.create("http://localhost:" + RestAssured.port + path))
            .header("Content-Type", type)
            .method(method, body == null ? BodyPublishers.noBody() : BodyPublishers.ofString(body));
    if (token != null) {
      request.header("Authorization", "Bearer " + token);
    }
    try {
      var answer = CLIENT.send(request.build(), BodyHandlers.ofByteArray());
      Contract.check(method, path.replaceFirst("[?].*", ""), answer);
      return answer;
    } catch (IOException e) {
      throw new UncheckedIOException(method + " " + path, e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted during " + method + " " + path, e);
    }
  }

  /** The answer to a GET, which must be JSON with 200. */
  public static JsonNode read(String token, String path) {
    var answer = send("GET", path, token, "application/json", null);
    var text = new String(answer.body(), StandardCharsets.UTF_8);
    assertEquals(200, answer.statusCode(), () -> path + ": " + text);
    try {
      return JSON.readTree(text);
    } catch (IOException e) {
      throw new UncheckedIOException(path, e);
    }
  }
}
