package dev.cairn.export;

import static dev.cairn.Api.admin;
import static dev.cairn.Api.as;
import static dev.cairn.export.JobRows.repository;
import static org.hamcrest.Matchers.is;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.cairn.Api;
import dev.cairn.Eventually;
import dev.cairn.People;
import io.restassured.response.Response;
import io.restassured.response.ValidatableResponse;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Supplier;
import java.util.stream.IntStream;

/** What the tests of exports say again and again. */
final class Exports {
  static final ObjectMapper JSON = new ObjectMapper();
  private static final int BATCH = 7;

  private Exports() {}

  /** The body of a streamed export. */
  static String stream(String repository) {
    return text(admin().get(repository + "/export").then().statusCode(200).extract().response());
  }

  static String text(Response response) {
    return new String(response.asByteArray(), StandardCharsets.UTF_8);
  }

  /** The lines of NDJSON, of which each ends with a line feed. */
  static List<ObjectNode> lines(String ndjson) {
    assertTrue(ndjson.isEmpty() || ndjson.endsWith("\n"), "the last line has no end");
    return ndjson.lines().map(line -> (ObjectNode) read(line)).toList();
  }

  static JsonNode read(String json) {
    try {
      return JSON.readTree(json);
    } catch (JsonProcessingException e) {
      throw new UncheckedIOException(e);
    }
  }

  static List<String> wrefs(String ndjson) {
    return lines(ndjson).stream().map(line -> line.get("wref").textValue()).toList();
  }

  /** What each line tells, without what a copy has of its own; by wref. */
  static Map<String, ObjectNode> content(String ndjson) {
    var content = new TreeMap<String, ObjectNode>();
    for (var line : lines(ndjson)) {
      line.remove(List.of("version", "createdAt", "updatedAt", "author"));
      content.put(line.get("wref").textValue(), line);
    }
    return content;
  }

  /** The operation that adds what a line tells, as docs/export.md says. */
  static ObjectNode operation(ObjectNode line) {
    var operation = JSON.createObjectNode();
    operation.put("operation", "add");
    operation.set("kind", line.get("kind"));
    operation.set("name", line.get("wref"));
    operation.set("data", line.get("data"));
    if (line.has("aboutWref")) {
      operation.set("about", line.get("aboutWref"));
    }
    return operation;
  }

  /** Adds each line to a new repository, in small batches; answers its path. */
  static String replay(String ndjson) {
    var copy = Api.newRepository("private");
    var lines = lines(ndjson);
    for (int from = 0; from < lines.size(); from += BATCH) {
      var body = JSON.createObjectNode();
      var operations = body.putArray("operations");
      lines
          .subList(from, Math.min(from + BATCH, lines.size()))
          .forEach(line -> operations.add(operation(line)));
      var answer = admin().body(body.toString()).post(copy + "/commits");
      assertEquals(
          201, answer.statusCode(), () -> answer.asString() + " in the order " + wrefs(ndjson));
    }
    return copy;
  }

  /** Asks for an export; answers its token. */
  static String mint(String repository) {
    return admin()
        .get(repository + "/export?prefer=async")
        .then()
        .statusCode(202)
        .extract()
        .path("exportToken");
  }

  static Response progress(String repository, String token) {
    return admin().get(repository + "/export?token=" + token);
  }

  /** The answer of an export that is built; waits for it. */
  static Response built(String repository, String token) {
    return built(() -> progress(repository, token));
  }

  /** The same, asked for in another way. */
  static Response built(Supplier<Response> progress) {
    return Eventually.poll(
        Duration.ofMinutes(1),
        () -> "the export is built",
        progress::get,
        answer -> {
          if (answer.statusCode() != 202) {
            return true;
          }
          assertEquals("pending", answer.path("state"));
          return false;
        });
  }

  /** The path and query of the link of an export that is built. */
  static String link(String repository, String token) {
    var url = built(repository, token).then().statusCode(200).extract().<String>path("url");
    var uri = URI.create(url);
    return uri.getRawPath() + "?" + uri.getRawQuery();
  }

  /** Requests an export that a worker builds. */
  static Response ask(String token, String repository) {
    return as(token).get(repository + "/export?prefer=async");
  }

  /** Checks that a quota has refused a request. */
  static ValidatableResponse refused(Response answer, String limit, long max) {
    return answer
        .then()
        .statusCode(429)
        .body("code", is("RATE_LIMITED"))
        .body("details.limit", is(limit))
        .body("details.max.toString()", is(Long.toString(max)));
  }

  /** Adds a repository to an organization; answers its path. */
  static String added(String token, String org) {
    var name = Api.unique("repo");
    as(token).body(Map.of("name", name)).post("/api/orgs/" + org + "/repos").then().statusCode(201);
    return "/api/repos/" + org + "/" + name;
  }

  /** An export that somebody asked for and that is built; answers its token. */
  static String builtFor(People.Person person, String repository) {
    String token =
        ask(person.token(), repository).then().statusCode(202).extract().path("exportToken");
    built(() -> as(person.token()).get(repository + "/export?token=" + token))
        .then()
        .statusCode(200);
    return token;
  }

  /** The tokens of new viewers of the organization of a repository. */
  static List<String> viewers(String repository, int count) {
    var org = repository.split("/", -1)[3];
    return IntStream.range(0, count).mapToObj(_ -> People.member(org, "viewer").token()).toList();
  }

  /** An export of a moment that is requested and built; answers its token. */
  static String builtAt(String token, String repository, int seq) {
    var answer = as(token).get(repository + "/export?prefer=async&at=" + seq);
    answer.then().statusCode(202);
    var export = answer.<String>path("exportToken");
    built(repository, export).then().statusCode(200);
    return export;
  }
}
