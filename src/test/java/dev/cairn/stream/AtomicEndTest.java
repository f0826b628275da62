package dev.cairn.stream;

import static dev.cairn.Api.admin;
import static dev.cairn.stream.Streams.add;
import static dev.cairn.stream.Streams.lines;
import static dev.cairn.stream.Streams.repository;
import static org.hamcrest.Matchers.is;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import dev.cairn.Api;
import dev.cairn.Eventually;
import dev.cairn.HeldLock;
import dev.cairn.HttpTest;
import dev.cairn.People;
import dev.cairn.Prepared;
import dev.cairn.Stored;
import dev.cairn.Waiting;
import dev.cairn.model.ErrorCode;
import dev.cairn.platform.database.OwnConnections;
import io.quarkus.test.junit.QuarkusTest;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** docs/streams.md, All or nothing: what ends a submission while its transaction writes. */
@HttpTest
@QuarkusTest
class AtomicEndTest {
  /** As many as take some seconds. */
  private static final int MANY = 60_000;

  private static final String LINES = many();

  private static String many() {
    return lines(IntStream.range(0, MANY).mapToObj(i -> add("t" + i)).toArray(String[]::new));
  }

  private static String org(String repository) {
    return repository.split("/", -1)[3];
  }

  private static boolean exists(String sql, Object... parameters) {
    return OwnConnections.database().first(sql, _ -> true, parameters).isPresent();
  }

  /** Sends all lines, and waits until the first of them are being written. */
  private static OpenSubmission writing(String token, String repository) throws IOException {
    var open = OpenSubmission.as(token, Streams.path(repository, "?atomic=true"));
    open.sendText(LINES).end();
    Eventually.await(
        "the transaction writes",
        () ->
            exists(
                """
                select from pg_locks
                where granted and mode = 'RowExclusiveLock' and relation = 'entity_version'::regclass
                  and database = (select oid from pg_database where datname = current_database())
                """));
    return open;
  }

  private static void assertNothingIsLeft(String repository) {
    var id = Api.repoId(repository);
    Eventually.await(
        "nothing is staged any longer",
        () ->
            !exists("select from stream_part where repo_id = ?", id)
                && !exists("select from stream_lease where repo_id = ?", id));
    admin().get(repository + "/count?shape=S").then().body("count", is(0));
    Stored.assertCounted(repository);
  }

  @Test
  void a_member_that_is_removed_ends_the_transaction_and_others_write_at_once() throws Exception {
    var repository = repository("private");
    var editor = People.member(org(repository), "editor");
    try (var connection = OwnConnections.plain();
        var statement = connection.createStatement()) {
      connection.setAutoCommit(false);
      // So that it cannot be the end of the transaction at which the rights are found lost.
      statement.execute("lock table commit_log in exclusive mode");
      try (var open = writing(editor.token(), repository)) {
        admin()
            .delete("/api/orgs/" + org(repository) + "/members/" + editor.inPath())
            .then()
            .statusCode(200);
        assertEquals(404, open.status());
      }
      connection.rollback();
    }
    Prepared.commit(repository, add("after"));
    Prepared.commit(repository, "{'operation':'retract','name':'S/after'}");
    assertNothingIsLeft(repository);
  }

  @Test
  void streams_that_are_switched_off_end_the_transaction() throws IOException {
    var repository = repository();
    try (var open = writing(Api.adminToken(), repository)) {
      Streams.switchTo(repository, false);
      assertEquals(404, open.status());
    }
    assertNothingIsLeft(repository);
  }

  @Test
  void a_client_that_goes_ends_the_transaction() throws IOException {
    var repository = repository();
    try (var _ = writing(Api.adminToken(), repository)) {
      assertTrue(exists("select from stream_part where repo_id = ?", Api.repoId(repository)));
    }
    assertNothingIsLeft(repository);
  }

  /** A change of the repository that comes while a submission arrives, and its refusal. */
  private static void assertEndsAfter(Runnable change, String repository, int status)
      throws IOException {
    var id = Api.repoId(repository);
    try (var open = OpenSubmission.to(repository, "?atomic=true")) {
      open.sendText(LINES.substring(0, LINES.indexOf("{", LINES.length() / 2)));
      Eventually.await(
          "a part is staged", () -> exists("select from stream_part where repo_id = ?", id));
      change.run();
      open.sendText(LINES.substring(LINES.indexOf("{", LINES.length() / 2))).end();
      assertEquals(status, open.status());
    }
    Eventually.await(
        "nothing is staged any longer",
        () ->
            !exists("select from stream_part where repo_id = ?", id)
                && !exists("select from stream_lease where repo_id = ?", id)
                && !exists("select from entity_version where repo_id = ? and valid_from > 1", id));
  }

  @Test
  void a_repository_that_is_archived_while_lines_come_takes_none_of_them() throws IOException {
    var repository = repository();
    assertEndsAfter(
        () -> Prepared.answer(200, Api.adminToken(), "PATCH", repository, Map.of("archived", true)),
        repository,
        ErrorCode.ARCHIVED.status());
    assertNothingIsLeft(repository);
  }

  @Test
  void a_repository_that_is_renamed_while_lines_come_takes_none_of_them() throws IOException {
    var repository = repository();
    var name = repository.substring(repository.lastIndexOf('/') + 1) + "-renamed";
    assertEndsAfter(
        () -> Prepared.answer(200, Api.adminToken(), "PATCH", repository, Map.of("name", name)),
        repository,
        404);
    assertNothingIsLeft(repository.substring(0, repository.lastIndexOf('/') + 1) + name);
  }

  @Test
  void a_repository_that_is_deleted_while_lines_come_leaves_nothing_of_them() throws IOException {
    var repository = repository();
    assertEndsAfter(() -> admin().delete(repository).then().statusCode(200), repository, 404);
  }

  /** While the transaction writes, such changes take effect before its end or after it. */
  private static void assertWholeOrNothing(Map<String, Object> change, String code)
      throws IOException {
    var repository = repository();
    var id = Api.repoId(repository);
    try (var open = writing(Api.adminToken(), repository)) {
      int status = admin().body(change).patch(repository).then().extract().statusCode();
      var lines = open.status() == 200 ? open.rest() : List.<JsonNode>of();
      boolean isWritten =
          exists("select from entity_version where repo_id = ? and valid_from = 2", id);
      if (isWritten) {
        assertEquals(MANY, lines.getLast().at("/summary/applied").asInt());
      } else {
        assertEquals(List.of(), lines, code);
        assertEquals(200, status);
      }
    }
    assertFalse(exists("select from stream_part where repo_id = ?", id));
  }

  /** Whoever unarchives it waits for no submission that would be refused at its end. */
  @Test
  void a_repository_that_is_archived_while_the_transaction_waits_takes_no_part() throws Exception {
    var repository = repository();
    var id = Api.repoId(repository);
    try (var holder = OwnConnections.plain();
        var requests = Executors.newVirtualThreadPerTaskExecutor();
        var open = OpenSubmission.to(repository, "?atomic=true")) {
      // If it were planned, its error would be the answer.
      open.send("{'operation':'retract','name':'S/missing'}".replace('\'', '"'));
      Eventually.await(
          "the submission was let in",
          () -> exists("select from stream_lease where repo_id = ?", id));
      holder.setAutoCommit(false);
      OwnConnections.execute(holder, HeldLock.HEAD, id);
      var archiving =
          requests.submit(() -> admin().body(Map.of("archived", true)).patch(repository));
      Waiting.awaitBlockedBy(holder);
      // Soon, since the archiving waits for 3 s.
      open.end();
      Waiting.awaitWaiters(holder, 2);
      holder.rollback();
      archiving.get().then().statusCode(200);
      assertEquals(ErrorCode.ARCHIVED.status(), open.status());
    }
  }

  @Test
  void a_repository_that_is_archived_while_the_transaction_writes_has_all_of_it_or_nothing()
      throws IOException {
    assertWholeOrNothing(Map.of("archived", true), "ARCHIVED");
  }

  @Test
  void a_repository_that_is_renamed_while_the_transaction_writes_has_all_of_it_or_nothing()
      throws IOException {
    assertWholeOrNothing(Map.of("name", "renamed"), "NOT_FOUND");
  }

  /** A request, and what the database shows when it waits for the transaction. */
  private record Meanwhile(Callable<Integer> request, String waits) {}

  /**
   * Sends a request when the transaction has written two operations and has only its log left.
   *
   * @return the number of operations that are applied, and the status of the request
   */
  private static Map.Entry<Integer, Integer> beforeItsEnd(String repository, Meanwhile meanwhile)
      throws Exception {
    try (var connection = OwnConnections.plain();
        var statement = connection.createStatement();
        var requests = Executors.newVirtualThreadPerTaskExecutor()) {
      connection.setAutoCommit(false);
      statement.execute("lock table commit_log in exclusive mode");
      try (var open = OpenSubmission.to(repository, "?atomic=true")) {
        open.send(add("a"), add("b")).end();
        Eventually.await(
            "the transaction writes its log",
            () ->
                exists(
                    "select from pg_locks where not granted and relation = 'commit_log'::regclass"));
        var status = requests.submit(meanwhile.request());
        Eventually.await("the request waits or has ended", () -> exists(meanwhile.waits()));
        connection.rollback();
        assertEquals(200, open.status());
        int applied = open.rest().getLast().at("/summary/applied").asInt();
        return Map.entry(applied, status.get());
      }
    }
  }

  @Test
  void a_repository_that_is_deleted_while_the_transaction_writes_is_deleted_with_all_of_it()
      throws Exception {
    var repository = repository();
    var id = Api.repoId(repository);
    var ended =
        beforeItsEnd(
            repository,
            new Meanwhile(
                () -> admin().delete(repository).statusCode(),
                "select from pg_locks where not granted and locktype in ('transactionid', 'tuple')"));
    assertEquals(Map.entry(2, 200), ended);
    for (var table :
        List.of(
            "entity",
            "entity_version",
            "commit_log",
            "stream_part",
            "stream_lease",
            "repository")) {
      var column = table.equals("repository") ? "id" : "repo_id";
      assertFalse(exists("select from %s where %s = ?".formatted(table, column), id), table);
    }
  }

  @Test
  void a_repository_that_is_made_private_while_the_transaction_writes_has_all_of_it()
      throws Exception {
    var repository = repository();
    var ended =
        beforeItsEnd(
            repository,
            new Meanwhile(
                () -> admin().body(Map.of("visibility", "private")).patch(repository).statusCode(),
                """
                select from repository where visibility = 'private' and id = '%1$s'
                union all
                select from pg_locks where not granted and locktype in ('transactionid', 'tuple')
                """
                    .formatted(Api.repoId(repository))));
    assertEquals(Map.entry(2, 200), ended);
    admin().get(repository).then().body("visibility", is("private"));
    admin().get(repository + "/count?shape=S").then().body("count", is(2));
    Stored.assertCounted(repository);
  }

  @Test
  void operations_that_all_conflict_end_soon_with_the_first_thousand_errors() {
    var repository = repository();
    Prepared.commit(repository, add("t"));
    var lines = lines(add("t")).repeat(100_000);
    long begun = System.nanoTime();
    var answer = Streams.send(repository, "?atomic=true", lines);
    var took = Duration.ofNanos(System.nanoTime() - begun);
    assertTrue(took.compareTo(Duration.ofSeconds(15)) < 0, took.toString());
    assertEquals(1_000, answer.results().size());
    assertTrue(answer.results("status").stream().allMatch("error"::equals));
    assertTrue(answer.response().body().length < 1024 * 1024);
    assertEquals("VALIDATION_ERROR", answer.error().get("code").asText());
    assertEquals(0, answer.summary().get("applied").asInt());
    admin().get(repository + "/commits").then().body("items.size()", is(2));
    Stored.assertCounted(repository);
  }

  @Test
  void an_account_has_its_bytes_for_staged_lines_back_when_its_submission_ends() throws Exception {
    var repository = repository();
    var id = Api.repoId(repository);
    var database = OwnConnections.database();
    var text = lines("{'operation':'revise','name':'S/open','data':{'n':%d}}");
    int size = 512 + text.formatted(1).length();
    try (var open = OpenSubmission.as(Api.adminToken(), repository + "/streams/o/submissions")) {
      open.send(add("open"));
      open.line();
      for (int left : List.of(size - 1, size)) {
        database.update(
            "update stream_lease set staged = ? where repo_id = ? and stream_id = 'o'",
            StagedParts.MAX_BYTES_OF_ACCOUNT - left,
            id);
        // The second one has the room of the first one again.
        for (int i = 1; i <= 2; i++) {
          var answer = Streams.send(repository, "?atomic=true", text.formatted(i));
          assertEquals(left < size ? 413 : 200, answer.status(), answer.text());
        }
      }
    }
    assertFalse(exists("select from stream_part where repo_id = ?", id));
    Stored.assertCounted(repository);
  }
}
