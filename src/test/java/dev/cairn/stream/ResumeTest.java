package dev.cairn.stream;

import static dev.cairn.Api.admin;
import static dev.cairn.stream.Streams.add;
import static dev.cairn.stream.Streams.lines;
import static dev.cairn.stream.Streams.repository;
import static dev.cairn.stream.Streams.send;
import static org.hamcrest.Matchers.is;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.cairn.Api;
import dev.cairn.Eventually;
import dev.cairn.HttpTest;
import dev.cairn.People;
import dev.cairn.Stored;
import dev.cairn.platform.database.OwnConnections;
import io.quarkus.test.junit.QuarkusTest;
import java.io.IOException;
import java.net.http.HttpRequest;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** docs/streams.md: the lease of a stream, and resuming by an idempotency key. */
@HttpTest
@QuarkusTest
class ResumeTest {
  private static final String KEY = "Idempotency-Key";

  private static int count(String repository) {
    return admin().get(repository + "/count?shape=S").then().extract().path("count");
  }

  private static void awaitFree(String repository) {
    Eventually.await(
        "the lease is given back",
        () ->
            OwnConnections.database()
                .first(
                    "select from stream_lease where repo_id = ?", _ -> true, Api.repoId(repository))
                .isEmpty());
  }

  @Test
  void results_come_while_lines_are_sent() throws IOException, InterruptedException {
    var repository = repository();
    try (var open = OpenSubmission.to(repository, "")) {
      open.send(add("a"));
      assertEquals("S/a", open.line().get("wref").asText());
      assertEquals(1, count(repository));
      // The rights of the caller are checked again after a second.
      Thread.sleep(1_100);
      open.send(add("b"), add("c"));
      assertEquals("S/b", open.line().get("wref").asText());
      assertEquals("S/c", open.line().get("wref").asText());
      open.end();
      assertEquals(3, open.line().at("/summary/applied").asInt());
    }
  }

  @Test
  void one_submission_at_a_time_has_a_stream_and_others_have_their_own() throws IOException {
    var repository = repository();
    try (var open = OpenSubmission.to(repository, "")) {
      open.send(add("a"));
      open.line();
      var held = send(repository, "", lines(add("b")));
      assertEquals(409, held.status());
      assertEquals("CONFLICT", held.lines().getFirst().get("code").asText());
      assertEquals("lease_held", held.lines().getFirst().at("/details/reason").asText());
      assertEquals(1, count(repository));
      var other =
          Streams.exchange(
              Streams.request(repository + "/streams/t/submissions")
                  .POST(HttpRequest.BodyPublishers.ofString(lines(add("c"))))
                  .build());
      assertEquals(1, other.summary().get("applied").asInt());
      open.end();
      open.rest();
    }
    awaitFree(repository);
    assertEquals(1, send(repository, "", lines(add("b"))).summary().get("applied").asInt());
  }

  @Test
  void a_lease_that_has_expired_is_taken_and_the_former_run_writes_nothing_more()
      throws IOException {
    var repository = repository();
    try (var open = OpenSubmission.to(repository, "")) {
      open.send(add("a"));
      open.line();
      OwnConnections.database()
          .update(
              "update stream_lease set run_id = gen_random_uuid() where repo_id = ?",
              Api.repoId(repository));
      open.send(add("b"));
      var rest = open.rest();
      assertEquals("lease_lost", rest.getFirst().at("/error/details/reason").asText());
      assertEquals(1, rest.getLast().at("/summary/applied").asInt());
    }
    assertEquals(1, count(repository));
  }

  @Test
  void an_interrupted_submission_goes_on_where_it_stood() throws IOException {
    var repository = repository();
    try (var open = OpenSubmission.to(repository, "", KEY + ": k")) {
      open.send(add("a"), add("b"));
      open.line();
      open.line();
      open.sendText("{\"operation\":");
    }
    awaitFree(repository);
    assertEquals(2, count(repository));
    var again = send(repository, "", lines(add("a"), add("b"), add("c")), KEY, "k");
    assertEquals(List.of("replayed", "replayed", "applied"), again.results("status"));
    assertEquals(List.of("1", "2", "3"), again.results("line"));
    assertEquals(3, again.summary().get("applied").asInt());
    assertEquals(3, again.summary().get("operationCount").asInt());
    assertFalse(again.summary().get("partial").asBoolean());
    var finished = send(repository, "", lines(add("a"), add("b"), add("c")), KEY, "k");
    assertEquals(List.of("replayed", "replayed", "replayed"), finished.results("status"));
    assertEquals(again.summary(), finished.summary());
    admin().get(repository + "/verification").then().body("verified", is(true));
    Stored.assertCounted(repository);
  }

  @Test
  void the_same_key_with_other_content_or_parameters_is_refused_and_changes_nothing() {
    var repository = repository();
    assertEquals(200, send(repository, "", lines(add("a"), add("b")), KEY, "k").status());
    for (var other :
        List.of(
            lines(add("a"), add("c")), lines(add("a")), lines(add("a"), add("b"), add("c")), "")) {
      var refused = send(repository, "", other, KEY, "k");
      // If the end of the body arrives late, the results of the first lines were sent already.
      var problem =
          refused.status() == 200
              ? refused.lines().get(refused.lines().size() - 2).path("error")
              : refused.lines().getFirst();
      assertEquals("IDEMPOTENCY_MISMATCH", problem.path("code").asText(), refused.text());
    }
    for (var query : List.of("?atomic=true", "?message=m", "?author=a")) {
      assertEquals(422, send(repository, query, lines(add("a"), add("b")), KEY, "k").status());
    }
    assertEquals(2, count(repository));
  }

  @Test
  void a_key_is_forgotten_after_a_day() {
    var repository = repository();
    send(repository, "", lines(add("a")), KEY, "k");
    OwnConnections.database()
        .update(
            "update stream_submission set updated_at = now() - interval '24 hours' where repo_id ="
                + " ?",
            Api.repoId(repository));
    var again = send(repository, "", lines(add("a"), add("b")), KEY, "k");
    assertEquals(List.of("error", "applied"), again.results("status"));
    Stored.assertCounted(repository);
  }

  @Test
  void a_failure_of_the_database_ends_the_answer_in_order() throws IOException {
    var repository = repository();
    var database = OwnConnections.database();
    try (var open = OpenSubmission.to(repository, "", KEY + ": k")) {
      open.send(add("a"));
      open.line();
      database.update(
          "alter table stream_submission add constraint for_test check (operations < 2) not valid");
      try {
        open.send(add("b"));
        var rest = open.rest();
        var error = rest.getFirst().path("error");
        assertEquals("INTERNAL_ERROR", error.path("code").asText(), rest.toString());
        assertFalse(error.at("/details/traceId").asText().isEmpty());
        assertEquals(1, rest.getLast().at("/summary/applied").asInt());
        assertTrue(rest.getLast().at("/summary/partial").asBoolean());
      } finally {
        database.update("alter table stream_submission drop constraint for_test");
      }
    }
    awaitFree(repository);
    var again = send(repository, "", lines(add("a"), add("b")), KEY, "k");
    assertEquals(List.of("replayed", "applied"), again.results("status"));
  }

  private static Streams.Answer sendAs(
      String token, String repository, String query, String lines) {
    return Streams.exchange(
        Streams.request(Streams.path(repository, query))
            .setHeader("Authorization", "Bearer " + token)
            .header(KEY, "same")
            .POST(HttpRequest.BodyPublishers.ofString(lines))
            .build());
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "?atomic=true"})
  void the_same_key_of_another_account_is_another_submission(String query) {
    var repository = repository("private");
    var org = repository.split("/", -1)[3];
    var first = People.member(org, "editor").token();
    var second = People.member(org, "editor").token();
    var ofFirst = sendAs(first, repository, query, lines(add("secret")));
    awaitFree(repository);
    var ofSecond = sendAs(second, repository, query, lines(add("b"), add("c")));
    awaitFree(repository);
    assertEquals(List.of("applied"), ofFirst.results("status"));
    assertEquals(List.of("applied", "applied"), ofSecond.results("status"));
    assertFalse(ofSecond.text().contains("secret"), ofSecond.text());
    assertNotEquals(ofFirst.summary().get("submissionId"), ofSecond.summary().get("submissionId"));
    assertNotEquals(ofFirst.summary().get("commitId"), ofSecond.summary().get("commitId"));
    // Each has its own answer again, and not that of the other for the lines of the other.
    assertEquals(
        ofFirst.summary(), sendAs(first, repository, query, lines(add("secret"))).summary());
    awaitFree(repository);
    assertEquals(
        ofSecond.summary(), sendAs(second, repository, query, lines(add("b"), add("c"))).summary());
    awaitFree(repository);
    var ofOther = sendAs(second, repository, query, lines(add("secret")));
    assertTrue(ofOther.text().contains("IDEMPOTENCY_MISMATCH"), ofOther.text());
    assertEquals(3, count(repository));
  }
}
