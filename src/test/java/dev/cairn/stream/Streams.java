package dev.cairn.stream;

import com.fasterxml.jackson.databind.JsonNode;
import dev.cairn.Api;
import dev.cairn.Prepared;
import dev.cairn.model.IJson;
import io.restassured.RestAssured;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** What the tests of streaming submissions say again and again; JSON stands with ' for ". */
final class Streams {
  static final String SHAPE =
      "{'operation':'add','name':'S','data':{'fields':{'n?':'number','to?':'wref'}}}";

  private static final HttpClient CLIENT =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

  private Streams() {}

  /** An answer. */
  static final class Answer {
    private final HttpResponse<byte[]> response;
    private List<JsonNode> read;

    Answer(HttpResponse<byte[]> response) {
      this.response = response;
    }

    HttpResponse<byte[]> response() {
      return response;
    }

    int status() {
      return response.statusCode();
    }

    String text() {
      return new String(response.body(), StandardCharsets.UTF_8);
    }

    /** All lines, or the problem. */
    List<JsonNode> lines() {
      if (read == null) {
        read = text().lines().map(Streams::read).toList();
      }
      return read;
    }

    JsonNode summary() {
      var last = lines().getLast();
      if (!last.has("summary")) {
        throw new AssertionError("no summary: " + text());
      }
      return last.get("summary");
    }

    /** The lines of operations. */
    List<JsonNode> results() {
      return lines().stream().filter(line -> line.has("opIndex")).toList();
    }

    /** A member of each result. */
    List<String> results(String member) {
      return results().stream().map(line -> line.path(member).asText()).toList();
    }

    /** Why it ended early. */
    JsonNode error() {
      return lines().stream()
          .filter(line -> line.has("error") && !line.has("opIndex"))
          .findFirst()
          .orElseThrow(() -> new AssertionError(text()))
          .get("error");
    }
  }

  static JsonNode read(String json) {
    return IJson.read(json.getBytes(StandardCharsets.UTF_8));
  }

  /** A new repository in which streams are on, and that has the shape {@code S}. */
  static String repository() {
    return repository("public");
  }

  static String repository(String visibility) {
    var repository = Api.newRepository(visibility);
    switchTo(repository, true);
    Prepared.commit(repository, SHAPE);
    return repository;
  }

  static void switchTo(String repository, boolean isOn) {
    Prepared.answer(
        200,
        Api.adminToken(),
        "PATCH",
        repository,
        Map.of("settings", Map.of("streams", Map.of("enabled", isOn))));
  }

  static String add(String name) {
    return add(name, "{}");
  }

  static String add(String name, String data) {
    return "{'operation':'add','name':'S/%s','data':%s}".formatted(name, data);
  }

  static String lines(String... operations) {
    return Arrays.stream(operations)
        .map(line -> line.replace('\'', '"') + "\n")
        .collect(Collectors.joining());
  }

  static String path(String repository, String query) {
    return repository + "/streams/s/submissions" + query;
  }

  static HttpRequest.Builder request(String path) {
    return HttpRequest.newBuilder(URI.create("http://localhost:" + RestAssured.port + path))
        .header("Authorization", "Bearer " + Api.adminToken())
        .header("Content-Type", "application/x-ndjson");
  }

  /** Sends lines to the stream {@code s}. */
  static Answer send(String repository, String query, String lines, String... headers) {
    return send(repository, query, lines.getBytes(StandardCharsets.UTF_8), headers);
  }

  static Answer send(String repository, String query, byte[] body, String... headers) {
    var request = request(path(repository, query));
    for (int i = 0; i < headers.length; i += 2) {
      request.setHeader(headers[i], headers[i + 1]);
    }
    return exchange(request.POST(HttpRequest.BodyPublishers.ofByteArray(body)).build());
  }

  static Answer exchange(HttpRequest request) {
    try {
      return new Answer(CLIENT.send(request, HttpResponse.BodyHandlers.ofByteArray()));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }
}
