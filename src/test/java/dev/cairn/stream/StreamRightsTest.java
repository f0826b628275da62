package dev.cairn.stream;

import static dev.cairn.Api.admin;
import static dev.cairn.stream.Streams.add;
import static dev.cairn.stream.Streams.lines;
import static dev.cairn.stream.Streams.repository;
import static org.hamcrest.Matchers.is;
import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.cairn.Api;
import dev.cairn.HttpTest;
import dev.cairn.People;
import dev.cairn.Prepared;
import dev.cairn.Stored;
import dev.cairn.model.ErrorCode;
import dev.cairn.platform.database.OwnConnections;
import io.quarkus.test.junit.QuarkusTest;
import java.io.IOException;
import java.net.http.HttpRequest;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** docs/streams.md, How it is applied: the rights of the caller, at the beginning and later. */
@HttpTest
@QuarkusTest
class StreamRightsTest {
  private static String org(String repository) {
    return repository.split("/", -1)[3];
  }

  private static Streams.Answer submit(String token, String repository) {
    return Streams.exchange(
        Streams.request(Streams.path(repository, ""))
            .setHeader("Authorization", "Bearer " + token)
            .POST(HttpRequest.BodyPublishers.ofString(lines(add("x"))))
            .build());
  }

  private static void assertEnds(OpenSubmission open, String code) throws IOException {
    open.send(add("b"));
    var rest = open.rest();
    assertEquals(code, rest.getFirst().at("/error/code").asText());
    assertEquals(1, rest.getLast().at("/summary/applied").asInt());
  }

  @Test
  void a_viewer_may_not_submit_and_an_editor_may() {
    var repository = repository("private");
    assertEquals(
        403, submit(People.member(org(repository), "viewer").token(), repository).status());
    assertEquals(
        200, submit(People.member(org(repository), "editor").token(), repository).status());
  }

  @Test
  void a_member_that_is_removed_ends_with_the_next_commit() throws IOException {
    var repository = repository("private");
    var editor = People.member(org(repository), "editor");
    try (var open = OpenSubmission.as(editor.token(), Streams.path(repository, ""))) {
      open.send(add("a"));
      open.line();
      admin()
          .delete("/api/orgs/" + org(repository) + "/members/" + editor.inPath())
          .then()
          .statusCode(200);
      assertEnds(open, "NOT_FOUND");
    }
    admin().get(repository + "/count?shape=S").then().body("count", is(1));
  }

  /** Only what is written with the right counts later as the address of a component's server. */
  @Test
  void a_commit_after_the_loss_of_the_right_to_configure_is_kept_as_one_without_it()
      throws IOException {
    var repository = repository("private");
    var configurer = People.member(org(repository), "admin");
    try (var open = OpenSubmission.as(configurer.token(), Streams.path(repository, ""))) {
      open.send(add("a"));
      open.line();
      admin()
          .body(Map.of("role", "editor"))
          .put("/api/orgs/" + org(repository) + "/members/" + configurer.inPath())
          .then()
          .statusCode(200);
      open.send(add("b"));
      open.line();
    }
    assertEquals(
        List.of(true, true, false),
        OwnConnections.database()
            .list(
                "select may_configure from commit_log where repo_id = ? order by seq",
                row -> row.getBoolean(1),
                Api.repoId(repository)));
  }

  /**
   * Within a second after the rights were checked, the commit itself finds that they are lost.
   *
   * @param pause in milliseconds
   */
  @ParameterizedTest
  @ValueSource(ints = {0, 1_100})
  void a_session_that_is_ended_ends_its_submission_with_the_next_commit(int pause)
      throws IOException, InterruptedException {
    var repository = repository("private");
    var editor = People.member(org(repository), "editor");
    try (var open = OpenSubmission.as(editor.token(), Streams.path(repository, ""))) {
      open.send(add("a"));
      open.line();
      Thread.sleep(pause);
      // By another session, which ends this one.
      var other = Api.token(editor.email(), People.PASSWORD);
      Api.changePassword(other, People.PASSWORD, "another long password").then().statusCode(200);
      assertEnds(open, "UNAUTHENTICATED");
    }
  }

  @Test
  void a_repository_that_is_archived_takes_no_more_lines() throws IOException {
    var repository = repository("private");
    try (var open = OpenSubmission.to(repository, "")) {
      open.send(add("a"));
      open.line();
      Prepared.answer(200, Api.adminToken(), "PATCH", repository, Map.of("archived", true));
      assertEnds(open, "ARCHIVED");
    }
  }

  @Test
  void a_repository_that_is_archived_takes_no_more_lines_that_change_nothing() throws IOException {
    var noop = add("a").replace("}}", "},'skipExisting':true}");
    var partial = repository("private");
    var atomic = repository("private");
    Prepared.commit(atomic, add("a"));
    try (var open = OpenSubmission.to(partial, "");
        var openAtomic = OpenSubmission.to(atomic, "?atomic=true")) {
      open.send(add("a"));
      open.line();
      openAtomic.send(noop);
      for (var repository : List.of(partial, atomic)) {
        Prepared.answer(200, Api.adminToken(), "PATCH", repository, Map.of("archived", true));
      }
      open.send(noop).end();
      assertEquals("ARCHIVED", open.rest().getFirst().at("/error/code").asText());
      openAtomic.send(noop).end();
      assertEquals(ErrorCode.ARCHIVED.status(), openAtomic.status());
    }
  }

  @Test
  void a_narrowed_token_writes_what_it_may_and_has_errors_for_the_rest() {
    var repository = repository("private");
    var token = People.narrowedPat(repository, "repo:write", "S/a*");
    var answer =
        Streams.exchange(
            Streams.request(Streams.path(repository, ""))
                .setHeader("Authorization", "Bearer " + token)
                .POST(HttpRequest.BodyPublishers.ofString(lines(add("a1"), add("b1"))))
                .build());
    assertEquals(List.of("applied", "error"), answer.results("status"));
    assertEquals("FORBIDDEN", answer.results().get(1).at("/error/code").asText());
  }

  @Test
  void an_archived_repository_refuses_also_what_changes_nothing_and_stages_nothing() {
    var repository = repository("private");
    var noop = add("a").replace("}}", "},'skipExisting':true}");
    var finished = Streams.send(repository, "?atomic=true", lines(noop), "Idempotency-Key", "k");
    Prepared.answer(200, Api.adminToken(), "PATCH", repository, Map.of("archived", true));
    for (var query : List.of("", "?atomic=true")) {
      for (var body : List.of("", lines(noop))) {
        var answer = Streams.send(repository, query, body, "Idempotency-Key", "other");
        assertEquals(ErrorCode.ARCHIVED.status(), answer.status(), answer.text());
        assertEquals("ARCHIVED", answer.lines().getFirst().get("code").asText());
      }
    }
    Stored.assertCounted(repository);
    var again = Streams.send(repository, "?atomic=true", lines(noop), "Idempotency-Key", "k");
    assertEquals(finished.summary(), again.summary());
  }

  @Test
  void only_the_service_writes_records_of_installs() {
    var repository = repository("private");
    var record = "{'operation':'add','name':'ComponentInstall/x','data':{}}";
    var retraction = "{'operation':'retract','name':'ComponentInstall/x'}";
    for (var query : List.of("", "?atomic=true")) {
      var answer = Streams.send(repository, query, lines(record, retraction));
      assertEquals(
          List.of("FORBIDDEN", "FORBIDDEN"),
          answer.results().stream().map(line -> line.at("/error/code").asText()).toList(),
          answer.text());
    }
  }
}
