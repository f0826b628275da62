package dev.cairn.platform.http;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.cairn.Api;
import io.restassured.RestAssured;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpHeaders;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.List;
import java.util.Optional;
import java.util.zip.GZIPInputStream;

/**
 * An answer as it came: the client of the JDK accepts no coding by itself, and decodes none.
 *
 * @param sent the body as it was sent
 */
public record CodedAnswer(int status, HttpHeaders headers, byte[] sent) {
  private static final HttpClient CLIENT =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

  /** The answer to a GET of the administrator; headers are names followed by their values. */
  public static CodedAnswer get(String path, String... headers) {
    return of("GET", path, null, headers);
  }

  /** The answer to a HEAD of the administrator. */
  public static CodedAnswer head(String path, String... headers) {
    return of("HEAD", path, null, headers);
  }

  /** The answer to a POST of the administrator, with JSON in which ' stands for ". */
  public static CodedAnswer post(String path, String body, String... headers) {
    return of("POST", path, body.replace('\'', '"'), headers);
  }

  private static CodedAnswer of(String method, String path, String body, String... headers) {
    var request =
        HttpRequest.newBuilder(URI.create("http://localhost:" + RestAssured.port + path))
            .method(method, body == null ? BodyPublishers.noBody() : BodyPublishers.ofString(body))
            .header("Authorization", "Bearer " + Api.adminToken());
    if (body != null) {
      request.header("Content-Type", "application/json");
    }
    if (headers.length > 0) {
      request.headers(headers);
    }
    try {
      var answer = CLIENT.send(request.build(), BodyHandlers.ofByteArray());
      return new CodedAnswer(answer.statusCode(), answer.headers(), answer.body());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted during " + method + " " + path, e);
    }
  }

  /** The value of a header that is there once; null if it is not there. */
  public String header(String name) {
    var values = headers.allValues(name);
    assertTrue(values.size() <= 1, () -> name + ": " + values);
    return values.isEmpty() ? null : values.getFirst();
  }

  public boolean isCompressed() {
    return Optional.ofNullable(header("Content-Encoding")).filter("gzip"::equals).isPresent();
  }

  /** The names in {@code Vary}. */
  public List<String> vary() {
    return header("Vary") == null ? List.of() : List.of(header("Vary").split(", ", -1));
  }

  /** The body without its coding. */
  public byte[] body() {
    if (!isCompressed()) {
      return sent;
    }
    try (var in = new GZIPInputStream(new ByteArrayInputStream(sent))) {
      return in.readAllBytes();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  public String text() {
    return new String(body(), UTF_8);
  }
}
