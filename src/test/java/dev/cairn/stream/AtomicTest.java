package dev.cairn.stream;

import static dev.cairn.Api.admin;
import static dev.cairn.stream.Streams.add;
import static dev.cairn.stream.Streams.lines;
import static dev.cairn.stream.Streams.repository;
import static dev.cairn.stream.Streams.send;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.is;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.cairn.Api;
import dev.cairn.Eventually;
import dev.cairn.HttpTest;
import dev.cairn.Prepared;
import dev.cairn.Stored;
import dev.cairn.platform.database.OwnConnections;
import io.quarkus.test.junit.QuarkusTest;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** docs/streams.md, All or nothing: one commit of any number of operations. */
@HttpTest
@QuarkusTest
class AtomicTest {
  private static final String KEY = "Idempotency-Key";
  private static final String ATOMIC = "?atomic=true";

  /** More than are kept and planned together, which are 10,000. */
  private static final int MANY = 12_000;

  private static final int THREE_PARTS = 21_000;

  private static void assertVerified(String repository) {
    var answer = admin().get(repository + "/verification").then().statusCode(200).extract();
    assertEquals(true, answer.path("verified"), answer.asString());
    Stored.assertCounted(repository);
  }

  private static int count(String repository) {
    return admin().get(repository + "/count?shape=S").then().extract().path("count");
  }

  private static long rows(String table, String repository) {
    return OwnConnections.database()
        .first(
            "select count(*) from " + table + " where repo_id = ?",
            row -> row.getLong(1),
            Api.repoId(repository))
        .orElseThrow();
  }

  private static List<String> many(int from, int to) {
    return IntStream.range(from, to)
        .mapToObj(i -> add("t" + i, "{'n':%d,'to':'S/t%d'}".formatted(i, i / 2)))
        .collect(Collectors.toCollection(ArrayList::new));
  }

  private static String text(List<String> operations) {
    return lines(operations.toArray(String[]::new));
  }

  @Test
  void all_operations_are_one_commit_whose_parts_see_what_the_ones_before_them_wrote() {
    var repository = repository();
    var operations = new ArrayList<String>();
    operations.add("{'operation':'add','name':'R','data':{'fields':{'celsius':'number'}}}");
    operations.add(add("t0", "{'n':0}"));
    operations.addAll(many(1, THREE_PARTS));
    // Of things that other parts have added.
    operations.add("{'operation':'revise','name':'S/t7','data':{'n':70}}");
    operations.add("{'operation':'retract','name':'S/t8'}");
    operations.add("{'operation':'add','name':'R/a','about':'S/t9','data':{'celsius':1}}");
    operations.add("{'operation':'add','type':'pair','members':['S/t1','S/t2']}");
    var answer = send(repository, ATOMIC + "&message=All", text(operations));
    var summary = answer.summary();
    assertEquals(operations.size(), summary.get("applied").asInt(), answer.text());
    assertEquals(2, summary.get("repoSeq").asInt());
    assertFalse(summary.get("partial").asBoolean());
    var results = answer.results();
    assertEquals(operations.size(), results.size());
    for (int i = 0; i < operations.size(); i++) {
      var result = results.get(i);
      assertEquals(i, result.get("opIndex").asInt());
      assertEquals(i + 1, result.get("line").asInt());
      assertEquals("applied", result.get("status").asText());
      assertEquals(2, result.get("repoSeq").asInt());
    }
    var commit = repository + "/commits/" + summary.get("commitId").asText();
    admin()
        .get(commit + "?limit=500")
        .then()
        .statusCode(200)
        .body("operationCount", is(operations.size()))
        .body("message", is("All"))
        .body("operations[499].opIndex", is(499));
    admin().get(repository + "/commits").then().body("items.size()", is(2));
    admin().get(repository + "/things/S/t7").then().body("version", is(2)).body("data.n", is(70));
    admin().get(repository + "/things/S/t8").then().body("active", is(false));
    admin().get(repository + "/about/S/t9").then().body(containsString("R/a"));
    admin().get(repository + "/history?wref=S/t7").then().body("items.size()", is(2));
    admin()
        .get(repository + "/diff?from=1&to=2&limit=500")
        .then()
        .statusCode(200)
        .body("items.size()", is(500));
    assertEquals(THREE_PARTS - 1, count(repository));
    assertEquals(0, rows("stream_part", repository));
    assertVerified(repository);
    Prepared.commit(repository, add("after"));
    assertVerified(repository);
  }

  @Test
  void a_rename_of_what_an_earlier_part_added_keeps_the_history_verifiable() {
    var repository = repository();
    var operations = new ArrayList<String>();
    operations.add(add("t0", "{'n':0}"));
    operations.addAll(many(1, MANY));
    operations.add("{'operation':'rename','name':'S/t1','newName':'renamed'}");
    operations.add("{'operation':'rename','name':'Shape/S','newName':'T'}");
    operations.add("{'operation':'add','name':'T/last','data':{'to':'T/renamed'}}");
    var answer = send(repository, ATOMIC, text(operations));
    assertEquals(operations.size(), answer.summary().get("applied").asInt(), answer.text());
    admin().get(repository + "/things/T/t2").then().body("data.to", is("T/renamed@v1"));
    assertVerified(repository);
    Prepared.commit(repository, "{'operation':'rename','name':'T/t2','newName':'second'}");
    assertVerified(repository);
  }

  @Test
  void a_second_rename_of_an_entity_in_another_part_is_refused() {
    var repository = repository();
    var operations = new ArrayList<String>(List.of(add("t0", "{'n':0}")));
    operations.add("{'operation':'rename','name':'S/t0','newName':'x'}");
    operations.addAll(IntStream.range(0, 10_000).mapToObj(i -> add("u" + i)).toList());
    operations.add("{'operation':'rename','name':'S/x','newName':'y'}");
    var answer = send(repository, ATOMIC, text(operations));
    assertEquals("ILLEGAL_OP_SEQUENCE", answer.lines().getFirst().get("code").asText());
    assertEquals(0, count(repository));
    assertEquals(0, rows("stream_part", repository));
    Stored.assertCounted(repository);
  }

  @Test
  void any_error_applies_nothing_and_the_answer_says_which_lines() {
    var repository = repository();
    var operations =
        IntStream.range(0, MANY)
            .mapToObj(i -> add("t" + i))
            .collect(Collectors.toCollection(ArrayList::new));
    operations.set(3, "{'operation':");
    operations.set(11_000, add("t1"));
    var answer = send(repository, ATOMIC, text(operations), KEY, "k");
    assertEquals(200, answer.status());
    assertEquals(List.of("3", "11000"), answer.results("opIndex"));
    assertTrue(answer.results("status").stream().allMatch("error"::equals), answer.text());
    assertEquals("VALIDATION_ERROR", answer.error().get("code").asText());
    assertEquals(0, answer.summary().get("applied").asInt());
    assertEquals(2, answer.summary().get("errors").asInt());
    assertFalse(answer.summary().has("commitId"));
    assertEquals(0, count(repository));
    assertEquals(0, rows("stream_part", repository));
    admin().get(repository + "/commits").then().body("items.size()", is(1));
    assertVerified(repository);
    operations.set(3, add("t3"));
    operations.set(11_000, add("t11000"));
    // The key is free: nothing was done with it.
    assertEquals(
        MANY,
        send(repository, ATOMIC, text(operations), KEY, "k").summary().get("applied").asInt());
    assertVerified(repository);
  }

  @Test
  void a_connection_that_is_cut_leaves_nothing_and_the_same_key_makes_it_once() throws IOException {
    var repository = repository();
    var operations = many(0, MANY);
    operations.set(0, add("t0"));
    try (var open = OpenSubmission.to(repository, ATOMIC, KEY + ": k")) {
      open.sendText(text(operations.subList(0, 11_000)));
      Eventually.await("a part is staged", () -> rows("stream_part", repository) > 0);
    }
    Eventually.await(
        "nothing is left",
        () -> rows("stream_part", repository) == 0 && rows("stream_lease", repository) == 0);
    assertEquals(0, count(repository));
    Stored.assertCounted(repository);
    var first = send(repository, ATOMIC, text(operations), KEY, "k");
    assertEquals(MANY, first.summary().get("applied").asInt());
    var again = send(repository, ATOMIC, text(operations), KEY, "k");
    assertEquals(first.summary(), again.summary());
    assertTrue(again.results("status").stream().allMatch("replayed"::equals));
    assertEquals(MANY, count(repository));
    admin().get(repository + "/commits").then().body("items.size()", is(2));
    operations.set(5, add("other"));
    var other = send(repository, ATOMIC, text(operations), KEY, "k");
    assertTrue(other.text().contains("IDEMPOTENCY_MISMATCH"), other.text());
    assertVerified(repository);
  }

  @Test
  void each_subscription_has_one_run_with_the_operations_of_all_parts() {
    var repository = repository();
    Prepared.answer(
        201,
        Api.adminToken(),
        "POST",
        repository + "/subs",
        Map.of(
            "name", "sub",
            "shapeName", "S",
            "kind", "webhook",
            "filterJson", Map.of(),
            "webhookUrl", "http://127.0.0.1:9/"));
    var operations = many(0, MANY);
    operations.set(0, add("t0"));
    assertEquals(MANY, send(repository, ATOMIC, text(operations)).summary().get("applied").asInt());
    assertEquals(1, rows("action_run", repository));
    assertEquals(MANY, rows("matched_operation", repository));
    assertEquals(
        MANY,
        OwnConnections.database()
            .first(
                "select cardinality(matched) from action_run where repo_id = ?",
                row -> row.getInt(1),
                Api.repoId(repository))
            .orElseThrow());
    Stored.assertCounted(repository);
  }

  @Test
  void an_operation_names_the_results_of_earlier_ones_by_their_numbers_also_of_other_parts() {
    var repository = repository();
    var operations = many(0, MANY);
    operations.set(0, add("t0"));
    operations.add(add("t5").replace("}}", "},'skipExisting':true}"));
    operations.add("{'operation':'revise','name':'$5','data':{'n':7}}");
    operations.add("{'operation':'rename','name':'$9','newName':'nine'}");
    IntStream.range(0, 10_000).mapToObj(i -> add("u" + i)).forEach(operations::add);
    int last = operations.size();
    operations.add(add("last", "{'to':'$5'}"));
    operations.add(add("ofNoop", "{'to':'$%d'}".formatted(MANY)));
    // The escape of a dollar sign.
    operations.add(add("ofRevise", "{'to':'\\u0024%d'}".formatted(MANY + 1)));
    operations.add(add("ofRenamed", "{'to':'$9'}"));
    operations.add("{'operation':'add','name':'S/about','about':'$%d','data':{}}".formatted(last));
    operations.add("{'operation':'retract','name':'$%d'}".formatted(last + 1));
    var answer = send(repository, ATOMIC, text(operations));
    assertEquals(1, answer.summary().path("noop").asInt(), answer.text());
    assertEquals(operations.size() - 1, answer.summary().get("applied").asInt());
    for (var expected :
        Map.of(
                "last", "S/t5@v1",
                "ofNoop", "S/t5@v1",
                "ofRevise", "S/t5@v2",
                "ofRenamed", "S/nine@v1")
            .entrySet()) {
      admin()
          .get(repository + "/things/S/" + expected.getKey())
          .then()
          .statusCode(200)
          .body("data.to", is(expected.getValue()));
    }
    admin().get(repository + "/things/S/about").then().body("aboutWref", is("S/last@v1"));
    admin().get(repository + "/things/S/ofNoop").then().body("active", is(false));
    assertEquals(0, rows("stream_result", repository));
    assertVerified(repository);
  }

  @Test
  void a_number_of_an_operation_that_failed_or_comes_later_names_nothing() {
    var repository = repository();
    var operations = many(0, MANY);
    operations.set(0, add("t0"));
    operations.set(1, add("t1", "{'n':'no number'}"));
    operations.set(2, add("t2"));
    operations.set(3, add("t3"));
    operations.add("{'operation':'retract','name':'$1'}");
    operations.add("{'operation':'retract','name':'$%d'}".formatted(MANY + 1));
    operations.add("{'operation':'retract','name':'$2'}");
    var answer = send(repository, ATOMIC, text(operations));
    var codes =
        answer.results().stream()
            .filter(result -> result.get("opIndex").asInt() >= MANY)
            .map(result -> result.at("/error/code").asText())
            .toList();
    assertEquals(List.of("DEPENDENCY_FAILED", "UNRESOLVED_REFERENCE"), codes, answer.text());
    assertEquals(0, count(repository));
    assertEquals(0, rows("stream_result", repository));
  }

  /** The heap for bodies that are processed, as the metrics tell it. */
  private static long bytesOfBodies() {
    return Api.anonymous()
        .get("/q/metrics")
        .then()
        .extract()
        .asString()
        .lines()
        .filter(line -> line.startsWith("cairn_bodies_bytes"))
        .mapToLong(line -> (long) Double.parseDouble(line.substring(line.lastIndexOf(' ') + 1)))
        .sum();
  }

  @Test
  void while_the_commit_is_written_it_holds_no_room_for_what_is_planned() throws Exception {
    var repository = repository();
    var operations = many(1, MANY);
    operations.addFirst(add("t0"));
    try (var connection = OwnConnections.plain();
        var statement = connection.createStatement();
        var open = OpenSubmission.to(repository, ATOMIC)) {
      connection.setAutoCommit(false);
      // The log is written when all parts are.
      statement.execute("lock table commit_log in exclusive mode");
      open.sendText(text(operations)).end();
      Eventually.await("the commit waits for the log", AtomicTest::waitsForLog);
      assertTrue(bytesOfBodies() <= 64 * 1024, bytesOfBodies() + " bytes");
      connection.rollback();
      assertEquals(MANY, open.rest().getLast().at("/summary/applied").asInt());
    }
  }

  private static boolean waitsForLog() {
    return OwnConnections.database()
        .first(
            """
            select from pg_locks
            where not granted and relation = 'commit_log'::regclass
              and database = (select oid from pg_database where datname = current_database())
            """,
            _ -> true)
        .isPresent();
  }

  private static long edges(String repository, String condition) {
    return OwnConnections.database()
        .first(
            "select count(*) from reference where repo_id = ? and " + condition,
            row -> row.getLong(1),
            Api.repoId(repository))
        .orElseThrow();
  }

  /** One statement inserts 20,000 references, and changes 50,000 by an upper estimate. */
  @Test
  void references_of_a_part_that_are_too_many_for_one_statement_are_written_by_several() {
    var repository = repository();
    var operations = new ArrayList<String>();
    operations.add("{'operation':'add','name':'L','data':{'fields':{'all':['wref']}}}");
    operations.add(add("t0", "{'n':0}"));
    operations.addAll(many(1, 2_500));
    var targets = "'S/t0'" + ",'S/t0'".repeat(4_999);
    for (int i = 0; i < 9; i++) {
      operations.add(
          "{'operation':'add','name':'L/l%d','data':{'all':[%s]}}".formatted(i, targets));
    }
    assertEquals(
        operations.size(),
        send(repository, ATOMIC, text(operations)).summary().get("applied").asInt());
    assertEquals(2_499 + 45_000, edges(repository, "head"));
    var changes =
        IntStream.range(1, 2_500)
            .mapToObj("{'operation':'revise','name':'S/t%d','data':{'n':0}}"::formatted)
            .collect(Collectors.toCollection(ArrayList::new));
    IntStream.range(0, 9)
        .mapToObj("{'operation':'retract','name':'L/l%d'}"::formatted)
        .forEach(changes::add);
    assertEquals(
        changes.size(), send(repository, ATOMIC, text(changes)).summary().get("applied").asInt());
    assertEquals(0, edges(repository, "head and from_version = 1"));
    assertEquals(45_000, edges(repository, "from_version = 2"));
    assertVerified(repository);
  }

  @Test
  void what_changes_nothing_makes_no_commit() {
    var repository = repository();
    Prepared.commit(repository, add("a"));
    var again = add("a").replace("}}", "},'skipExisting':true}");
    var answer = send(repository, ATOMIC, lines(again));
    assertEquals(1, answer.summary().get("noop").asInt());
    assertFalse(answer.summary().has("commitId"));
    assertEquals(0, send(repository, ATOMIC, "").summary().get("operationCount").asInt());
  }

  @Test
  void what_a_run_whose_replica_died_has_staged_is_deleted_with_the_next_one_and_does_not_count()
      throws IOException {
    var repository = repository();
    var id = Api.repoId(repository);
    var database = OwnConnections.database();
    var run = UUID.randomUUID();
    var path = repository + "/streams/running/submissions";
    try (var open = OpenSubmission.as(Api.adminToken(), path)) {
      open.send(add("running"));
      open.line();
      for (var stream : List.of("s", "dead")) {
        database.update(
            """
            insert into stream_lease (repo_id, stream_id, run_id, account_id, lease_until, staged)
            select repo_id, ?, ?, account_id, now() - interval '1 second', ?
            from stream_lease where repo_id = ? and stream_id = 'running'
            """,
            stream,
            stream.equals("s") ? run : UUID.randomUUID(),
            StagedParts.MAX_BYTES_OF_ACCOUNT,
            id);
      }
    }
    database.update(
        """
        with part as (
          insert into stream_part (repo_id, run_id, ordinal, first_op, numbers, lines, created_at)
          values (?, ?, 0, 0, '{1}', 'x', now())
          returning repo_id)
        insert into stored_bytes_change (repo_id, bytes) select repo_id, 513 from part
        """,
        id, run);
    Stored.assertCounted(repository);
    var answer = send(repository, ATOMIC, lines(add("a")));
    assertEquals(1, answer.summary().get("applied").asInt(), answer.text());
    assertEquals(0, rows("stream_part", repository));
    Stored.assertCounted(repository);
  }
}
