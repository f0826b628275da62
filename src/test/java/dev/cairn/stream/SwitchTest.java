package dev.cairn.stream;

import static dev.cairn.stream.Streams.add;
import static dev.cairn.stream.Streams.lines;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.cairn.Api;
import dev.cairn.HttpTest;
import dev.cairn.People;
import dev.cairn.platform.database.LockedTable;
import dev.cairn.platform.http.Gzip;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.RestAssured;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** docs/streams.md, The switch: where streams are off, the path is as one that does not exist. */
@HttpTest
@QuarkusTest
class SwitchTest {
  private static final List<String> METHODS =
      List.of("POST", "GET", "HEAD", "PUT", "PATCH", "DELETE", "OPTIONS", "PROPFIND");

  /** The whole answer, with its headers in their order. */
  private static String answer(String method, String path, byte[] body, String... headers)
      throws IOException {
    try (var socket = new Socket("localhost", RestAssured.port)) {
      var head =
          new StringBuilder(
              "%s %s HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n".formatted(method, path));
      Stream.of(headers).forEach(header -> head.append(header).append("\r\n"));
      if (body != null) {
        head.append("Content-Length: ").append(body.length).append("\r\n");
      }
      var out = new ByteArrayOutputStream();
      out.writeBytes(head.append("\r\n").toString().getBytes(StandardCharsets.US_ASCII));
      if (body != null) {
        out.writeBytes(body);
      }
      socket.getOutputStream().write(out.toByteArray());
      socket.getOutputStream().flush();
      return new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8)
          .replaceAll("(?i)date: [^\r]*\r\n", "");
    }
  }

  private static void assertHidden(String repository, String... caller) throws IOException {
    var path = repository + "/streams/s/submissions";
    var unknown = repository + "/nothing/s/submissions";
    var body = lines(add("a")).getBytes(StandardCharsets.UTF_8);
    for (var method : METHODS) {
      var sent = method.equals("GET") || method.equals("HEAD") ? null : body;
      for (var more :
          List.of(
              new String[0],
              new String[] {"Content-Type: application/x-ndjson", "Accept-Encoding: gzip"},
              new String[] {"Origin: https://example.com", "Accept: application/json"},
              new String[] {"Idempotency-Key: a b"})) {
        var headers = Stream.concat(Stream.of(caller), Stream.of(more)).toArray(String[]::new);
        assertEquals(
            answer(method, unknown, sent, headers),
            answer(method, path, sent, headers),
            method + " " + String.join(", ", more));
      }
    }
    var gzip = with(caller, "Content-Encoding: gzip");
    assertEquals(
        answer("POST", unknown, Gzip.compress(body), gzip),
        answer("POST", path, Gzip.compress(body), gzip));
    for (var coding : List.of("br", "gzip, br", "gzip\r\nContent-Encoding: gzip", "identity")) {
      var coded = with(caller, "Content-Encoding: " + coding);
      assertEquals(answer("POST", unknown, body, coded), answer("POST", path, body, coded), coding);
    }
    assertEquals(
        answer("POST", unknown + "?x=1", body, caller),
        answer("POST", path + "?x=1", body, caller));
    var tooLong = with(caller, "Content-Length: 17000000");
    assertEquals(answer("POST", unknown, null, tooLong), answer("POST", path, null, tooLong));
  }

  private static String[] with(String[] headers, String more) {
    return Stream.concat(Stream.of(headers), Stream.of(more)).toArray(String[]::new);
  }

  private static String bearer(String token) {
    return "Authorization: Bearer " + token;
  }

  @Test
  void where_streams_are_off_the_answer_is_that_of_an_unknown_path_for_every_method_and_caller()
      throws IOException {
    var repository = Api.newRepository("public");
    var stranger = People.stranger().token();
    assertHidden(repository);
    assertHidden(repository, bearer(Api.adminToken()));
    assertHidden(repository, bearer(stranger));
    // Whatever the path is: no look-up is made for it.
    var path = repository + "/streams/s/submissions";
    assertEquals(
        answer("POST", repository + "/nothing/s/submissions", new byte[0], bearer("invalid")),
        answer("POST", path, new byte[0], bearer("invalid")));
    Streams.switchTo(repository, true);
    assertNotEquals(404, Streams.send(repository, "", "").status());
    Streams.switchTo(repository, false);
    assertHidden(repository, bearer(Api.adminToken()));
  }

  @Test
  void a_repository_that_the_caller_may_not_know_of_and_one_that_does_not_exist_hide_it_too()
      throws IOException {
    var repository = Streams.repository("private");
    var stranger = People.stranger().token();
    assertHidden(repository);
    assertHidden(repository, bearer(stranger));
    assertHidden("/api/repos/none/none", bearer(stranger));
  }

  @Test
  void where_streams_are_on_the_path_is_there_for_post_alone() throws IOException {
    var repository = Streams.repository();
    var path = repository + "/streams/s/submissions";
    assertEquals(
        "HTTP/1.1 405", answer("GET", path, null, bearer(Api.adminToken())).substring(0, 12));
    assertEquals("HTTP/1.1 401", answer("POST", path, new byte[0]).substring(0, 12));
    assertEquals("HTTP/1.1 200", answer("OPTIONS", path, null).substring(0, 12));
    var coded = answer("POST", path, new byte[1], bearer(Api.adminToken()), "Content-Encoding: br");
    assertEquals("HTTP/1.1 415", coded.substring(0, 12));
    assertTrue(coded.toLowerCase(Locale.ROOT).contains("accept-encoding: gzip\r\n"), coded);
  }

  @Test
  void names_that_no_repository_can_have_hide_it_too() throws IOException {
    assertHidden("/api/repos/-a/b", bearer(Api.adminToken()));
    assertHidden("/api/repos/a/-b");
  }

  @Test
  void a_failure_of_the_database_is_answered_as_on_every_path() throws Exception {
    var path = "/api/repos/unseen/unseen/streams/s/submissions";
    try (var _ = LockedTable.of("repository")) {
      var answer =
          answer(
              "POST",
              path,
              new byte[0],
              bearer(Api.adminToken()),
              "Content-Type: application/x-ndjson");
      assertEquals("HTTP/1.1 503", answer.substring(0, 12), answer);
    }
  }
}
