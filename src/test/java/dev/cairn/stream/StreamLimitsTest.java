package dev.cairn.stream;

import static dev.cairn.stream.Streams.add;
import static dev.cairn.stream.Streams.lines;
import static dev.cairn.stream.Streams.repository;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.cairn.Api;
import dev.cairn.Eventually;
import dev.cairn.HttpTest;
import dev.cairn.People;
import dev.cairn.Uncommon;
import io.quarkus.test.junit.QuarkusTest;
import io.quarkus.test.junit.TestProfile;
import java.io.IOException;
import java.net.http.HttpRequest;
import java.util.ArrayList;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** docs/streams.md, Slow clients and Limits: with eight places, and three seconds for a line. */
@HttpTest
@QuarkusTest
@TestProfile(Uncommon.class)
class StreamLimitsTest {
  private static final int OF_ACCOUNT = 2;
  private static final int MIB = 1024 * 1024;

  private static String path(String repository, String stream) {
    return repository + "/streams/" + stream + "/submissions";
  }

  private static Streams.Answer submit(String token, String path) {
    return Streams.exchange(
        Streams.request(path)
            .setHeader("Authorization", "Bearer " + token)
            .POST(HttpRequest.BodyPublishers.ofString(lines(add("x"))))
            .build());
  }

  @Test
  void a_client_that_sends_no_whole_line_in_time_is_told_so_and_nothing_atomic_remains()
      throws IOException {
    var repository = repository();
    try (var open = OpenSubmission.to(repository, "")) {
      open.send(add("a"));
      open.line();
      open.sendText("{\"operation\":");
      var rest = open.rest();
      assertEquals("UNAVAILABLE", rest.getFirst().at("/error/code").asText());
      assertEquals(1, rest.getLast().at("/summary/applied").asInt());
      assertTrue(rest.getLast().at("/summary/partial").asBoolean());
    }
    try (var open = OpenSubmission.as(Api.adminToken(), path(repository, "t") + "?atomic=true")) {
      open.send(add("b"));
      assertEquals(503, open.status());
    }
    Api.admin().get(repository + "/things/S/b").then().statusCode(404);
  }

  private static double arriving() {
    return Api.anonymous()
        .get("/q/metrics")
        .then()
        .extract()
        .asString()
        .lines()
        .filter(line -> line.startsWith("cairn_requests_arriving_bytes"))
        .mapToDouble(line -> Double.parseDouble(line.substring(line.lastIndexOf(' ') + 1)))
        .sum();
  }

  @Test
  void an_unfinished_line_is_counted_among_the_requests_that_arrive_until_its_submission_ends()
      throws IOException {
    var repository = repository();
    try (var open = OpenSubmission.to(repository, "")) {
      open.send(add("a"));
      open.line();
      open.sendText("x".repeat(MIB));
      Eventually.await("a MiB is counted", () -> arriving() >= MIB);
    }
    Eventually.await("nothing is counted any longer", () -> arriving() < MIB);
  }

  /** All requests together have 4 MiB, of which one caller has half. */
  @Test
  void unfinished_lines_beyond_the_share_of_a_caller_end_the_submission_and_others_go_on()
      throws IOException {
    var repository = repository();
    var other = People.member(repository.split("/", -1)[3], "editor");
    try (var open = OpenSubmission.to(repository, "");
        var small = OpenSubmission.as(other.token(), path(repository, "small"))) {
      small.send(add("b"));
      small.line();
      open.send(add("a"));
      open.line();
      open.sendText("x".repeat(5 * MIB / 2));
      var rest = open.rest();
      assertEquals("UNAVAILABLE", rest.getFirst().at("/error/code").asText());
      var detail = rest.getFirst().at("/error/detail").asText();
      assertTrue(detail.contains("memory") || detail.contains("arriving"), detail);
      assertEquals(1, rest.getLast().at("/summary/applied").asInt());
      small.send(add("c")).end();
      assertEquals(2, small.rest().getLast().at("/summary/applied").asInt());
    }
  }

  @Test
  void lines_that_wait_to_be_applied_are_applied_early_if_memory_is_short() {
    var repository = repository();
    var text = "x".repeat(100_000);
    var lines =
        lines(
            IntStream.range(0, 60)
                .mapToObj(i -> add("t" + i, "{'text':'" + text + "'}"))
                .toArray(String[]::new));
    var answer = Streams.send(repository, "", lines);
    assertEquals(60, answer.summary().get("applied").asInt(), answer.text());
  }

  @Test
  void an_account_has_a_quarter_of_the_places_and_others_theirs() throws IOException {
    var repository = repository();
    var open = new ArrayList<OpenSubmission>();
    try {
      for (int i = 0; i < OF_ACCOUNT; i++) {
        var one = OpenSubmission.as(Api.adminToken(), path(repository, "s" + i));
        open.add(one.send(add("t" + i)));
        one.line();
      }
      var refused = submit(Api.adminToken(), path(repository, "more"));
      assertEquals(429, refused.status());
      assertTrue(refused.response().headers().firstValue("Retry-After").isPresent());
      var org = repository.split("/", -1)[3];
      var other = People.member(org, "editor");
      assertEquals(200, submit(other.token(), path(repository, "other")).status());
    } finally {
      for (var one : open) {
        one.close();
      }
    }
  }
}
