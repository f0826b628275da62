package dev.cairn;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.restassured.RestAssured;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;

/**
 * Requests that only prepare what a test is about, and must succeed. They take a fraction of the
 * time of RestAssured's; what is asserted of an answer is asked through {@link Api}, which holds it
 * against the OpenAPI document too.
 */
public final class Prepared {
  private static final JsonMapper JSON = JsonMapper.builder().build();
  private static final HttpClient CLIENT =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

  private Prepared() {}

  /** The answer to a GET of the administrator, as it came. */
  public static String read(String path) {
    return sent(200, "GET", path, Api.adminToken(), null);
  }

  /** Commits operations, given as the elements of a JSON array, with ' for ". */
  public static void commit(String repository, String operations) {
    var body = "{'operations':[" + operations + "]}";
    sent(201, "POST", repository + "/commits", Api.adminToken(), body.replace('\'', '"'));
  }

  /**
   * The answer to a request, which must have this status.
   *
   * @param token what it is authorized by, or null
   * @param body JSON as text, or what makes JSON
   */
  public static JsonNode answer(int status, String token, String method, String path, Object body) {
    return json(sent(status, method, path, token, text(body)));
  }

  private static String text(Object body) {
    try {
      return body instanceof String json ? json : JSON.writeValueAsString(body);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static JsonNode json(String text) {
    try {
      return JSON.readTree(text);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * The status of the answer to a request that may be refused.
   *
   * @param body JSON as text
   */
  public static int status(String token, String method, String path, String body) {
    return exchange(method, path, token, body).statusCode();
  }

  private static String sent(int status, String method, String path, String token, String body) {
    var answer = exchange(method, path, token, body);
    if (answer.statusCode() != status) {
      throw new AssertionError(
          "%s %s -> %d %s".formatted(method, path, answer.statusCode(), answer.body()));
    }
    return answer.body();
  }

  private static HttpResponse<String> exchange(
      String method, String path, String token, String body) {
    var request =
        HttpRequest.newBuilder(URI.create("http://localhost:" + RestAssured.port + path))
            .method(method, body == null ? BodyPublishers.noBody() : BodyPublishers.ofString(body));
    if (body != null) {
      request.header("Content-Type", "application/json");
    }
    if (token != null) {
      request.header("Authorization", "Bearer " + token);
    }
    try {
      return CLIENT.send(request.build(), BodyHandlers.ofString());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted during " + method + " " + path, e);
    }
  }
}
