package dev.cairn.action;

import static dev.cairn.Api.admin;
import static org.hamcrest.Matchers.contains;
import static org.hamcrest.Matchers.containsInAnyOrder;
import static org.hamcrest.Matchers.empty;
import static org.hamcrest.Matchers.hasSize;
import static org.hamcrest.Matchers.is;
import static org.hamcrest.Matchers.matchesRegex;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import dev.cairn.Api;
import dev.cairn.Eventually;
import dev.cairn.HeldLock;
import dev.cairn.HttpTest;
import dev.cairn.People;
import dev.cairn.Prepared;
import dev.cairn.Stored;
import dev.cairn.Threads;
import dev.cairn.Waiting;
import dev.cairn.docs.PageExample;
import dev.cairn.platform.database.OwnConnections;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.response.ValidatableResponse;
import java.sql.Connection;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Actions, Runs: which commits make them, and what they carry. */
@HttpTest
@QuarkusTest
class OutboxTest {
  private static final String SHAPE =
      "{'operation':'add','name':'Sensor','data':{'fields':{'n':'number?','celsius':'number?','near':'wref?'}}}";

  private final Receiver receiver = new Receiver();
  private Deliveries deliveries;
  private String repository;

  @BeforeEach
  void repository() {
    deliveries = new Deliveries();
    repository = Api.newRepository("private");
    Api.commit(repository, SHAPE + ",{'operation':'add','name':'Other','data':{'fields':{}}}");
  }

  @AfterEach
  void close() {
    receiver.close();
  }

  private void watch() {
    deliveries.webhook(repository, "watch", "Sensor", receiver.url("/hook"));
  }

  /** Another repository of the same organization. */
  private String sibling() {
    var org = repository.split("/", -1)[3];
    admin().body(Map.of("name", "own")).post("/api/orgs/" + org + "/repos").then().statusCode(201);
    return "/api/repos/" + org + "/own";
  }

  private static ValidatableResponse runs(String repository) {
    return admin().get(repository + "/actions/runs").then().statusCode(200);
  }

  /** The operations of the only call that the receiver has got. */
  private List<JsonNode> sentOperations() {
    deliveries.run(repository);
    var operations = receiver.only().json().at("/data/matchedOperations");
    return StreamSupport.stream(operations.spliterator(), false).toList();
  }

  @Test
  void a_commit_makes_one_run_for_each_subscription_that_matches() {
    watch();
    deliveries.webhook(repository, "second", "Sensor", receiver.url("/second"));
    deliveries.webhook(repository, "other", "Other", receiver.url("/other"));
    var commit =
        Api.commit(
            repository,
            """
            {'operation':'add','name':'Other/a','data':{}},
            {'operation':'add','name':'Sensor/a','data':{'n':1}},
            {'operation':'revise','name':'Sensor/a','data':{'n':2}}
            """);
    String commitId = commit.extract().path("commitId");
    runs(repository)
        .body("", hasSize(3))
        .body("subscriptionName", contains("other", "second", "watch"))
        .body("commitId", is(List.of(commitId, commitId, commitId)))
        .body("matchedOperationIndexes", is(List.of(List.of(0), List.of(1, 2), List.of(1, 2))))
        .body("status", is(List.of("pending", "pending", "pending")))
        .body("executorKind", is(List.of("webhook", "webhook", "webhook")))
        .body("attemptCount", is(List.of(0, 0, 0)))
        .body("maxAttempts", is(List.of(7, 7, 7)));
  }

  @Test
  void what_commits_nothing_makes_no_run() {
    watch();
    Prepared.commit(repository, "{'operation':'add','name':'Sensor/a','data':{'n':1}}");
    assertEquals(1, deliveries.run(repository));
    Api.commit(repository, "{'operation':'revise','name':'Sensor/a','data':{'n':1}}")
        .statusCode(200);
    Api.submit(
            repository,
            "{'dryRun':true,'operations':[{'operation':'revise','name':'Sensor/a','data':{'n':5}}]}")
        .statusCode(200);
    Api.commit(
            repository,
            """
            {'operation':'revise','name':'Sensor/a','data':{'n':7}},
            {'operation':'add','name':'Sensor/a','data':{}}
            """)
        .statusCode(409);
    runs(repository).body("", hasSize(1));
  }

  @Test
  void a_partial_commit_makes_runs_of_what_was_applied() {
    watch();
    Api.submit(
            repository,
            """
            {'atomic':false,'operations':[
              {'operation':'add','name':'Sensor/a','data':{'n':'no'}},
              {'operation':'add','name':'Sensor/b','data':{}}]}
            """)
        .statusCode(201);
    runs(repository).body("matchedOperationIndexes", is(List.of(List.of(1))));
  }

  @Test
  void the_body_says_what_was_committed() {
    watch();
    var commit =
        Api.submit(
            repository,
            """
            {'message':'why','author':'somebody',
             'operations':[{'operation':'add','name':'Sensor/a','data':{'n':1}}]}
            """);
    deliveries.run(repository);
    var body = receiver.only().json();
    var data = body.path("data");
    assertEquals("cairn.commit", body.path("type").textValue());
    assertTrue(body.path("timestamp").textValue().matches("20.*Z"), body::toString);
    assertEquals(deliveries.onlyRun(repository).toString(), data.path("runId").textValue());
    assertEquals("watch", data.path("subscriptionName").textValue());
    var names = repository.split("/", -1);
    assertEquals(names[3], data.at("/repo/orgName").textValue());
    assertEquals(names[4], data.at("/repo/repoName").textValue());
    assertFalse(data.has("sourceRepo"));
    assertEquals(commit.extract().path("commitId"), data.at("/commit/commitId").textValue());
    assertEquals(2, data.at("/commit/repoSeq").intValue());
    assertEquals("why", data.at("/commit/message").textValue());
    assertEquals("somebody", data.at("/commit/author").textValue());
    assertEquals(
        (long) commit.extract().path("createdAt"), data.at("/commit/createdAt").longValue());
    assertEquals("[0]", data.path("matchedOperationIndexes").toString());
    assertEquals(
        "[{\"index\":0,\"operation\":\"add\",\"kind\":\"thing\",\"wref\":\"Sensor/a\","
            + "\"name\":\"a\",\"shapeName\":\"Sensor\",\"version\":1,\"data\":{\"n\":1}}]",
        data.path("matchedOperations").toString());
    assertTrue(
        data.path("callbackUrl")
            .textValue()
            .startsWith(
                "https://cairn.example.org/api/action-runs/"
                    + data.path("runId").textValue()
                    + "/callback?token="),
        body::toString);
  }

  @Test
  void the_body_is_as_the_page_shows_it() throws Exception {
    deliveries.webhook(repository, "tell-the-gardener", "Sensor", receiver.url("/hook"));
    Api.submit(
        repository,
        """
        {'message':'Too warm','author':'Night shift',
         'operations':[{'operation':'add','name':'Sensor/north','data':{'celsius':31}}]}
        """);
    deliveries.run(repository);
    PageExample.assertShows(
        "docs/actions.md, What is sent: the envelope",
        receiver.only().json(),
        "/timestamp",
        "/data/runId",
        "/data/traceId",
        "/data/repo/orgName",
        "/data/repo/repoName");
  }

  @Test
  void the_body_of_each_kind_of_operation_has_the_data_and_names_at_the_end_of_the_commit() {
    Api.commit(repository, "{'operation':'add','name':'Sensor/a','data':{'n':1}}");
    watch();
    deliveries.set(
        UUID.fromString(
            deliveries.value(
                "select id::text from subscription where repo_id = ?", Api.repoId(repository))),
        "filter = '{\"operation\":[\"add\",\"revise\",\"retract\",\"rename\"]}'");
    Prepared.commit(
        repository,
        """
            {'operation':'add','name':'Sensor/b','data':{'near':'Sensor/a'}},
            {'operation':'retract','name':'Sensor/a'},
            {'operation':'rename','name':'Sensor/a','newName':'c'},
            {'operation':'add','name':'Sensor/about','data':{},'about':'Sensor/b'}
            """);
    var operations = sentOperations();
    assertEquals(
        List.of("add", "retract", "rename", "add"),
        operations.stream().map(o -> o.path("operation").textValue()).toList());
    assertEquals(
        List.of("Sensor/b", "Sensor/c", "Sensor/c", "Sensor/about"),
        operations.stream().map(o -> o.path("wref").textValue()).toList());
    assertEquals(
        List.of(1, 2, 2, 1), operations.stream().map(o -> o.path("version").intValue()).toList());
    assertEquals("{\"near\":\"Sensor/c@v1\"}", operations.get(0).path("data").toString());
    assertEquals("{\"n\":1}", operations.get(1).path("data").toString());
    assertEquals("assertion", operations.get(3).path("kind").textValue());
    assertEquals("Sensor/b@v1", operations.get(3).path("aboutWref").textValue());
  }

  @Test
  void a_collection_that_is_made_on_the_way_matches_nothing() {
    Api.commit(repository, "{'operation':'add','name':'Sensor/a','data':{}}");
    deliveries.webhook(repository, "sets", "Set", receiver.url("/sets"));
    watch();
    Prepared.commit(
        repository, "{'operation':'add','name':'Sensor/x','data':{},'about':{'set':['Sensor/a']}}");
    runs(repository).body("subscriptionName", contains("watch"));
  }

  @Test
  void operations_are_kept_once_for_all_runs_of_a_commit() {
    watch();
    deliveries.webhook(repository, "second", "Sensor", receiver.url("/second"));
    Prepared.commit(repository, "{'operation':'add','name':'Sensor/a','data':{}}");
    assertEquals(
        "1",
        deliveries.value(
            "select count(*) from matched_operation where repo_id = ?", Api.repoId(repository)));
    Stored.assertCounted(repository);
  }

  @Test
  void a_subscription_to_another_repository_tells_of_it() {
    var own = sibling();
    deliveries.webhook(own, repository, "across", "Sensor", receiver.url("/hook"));
    Prepared.commit(repository, "{'operation':'add','name':'Sensor/a','data':{}}");
    runs(repository).body("", empty());
    Stored.assertCounted(own);
    Stored.assertCounted(repository);
    deliveries.run(own);
    var data = receiver.only().json().path("data");
    assertEquals(own, "/api/repos/" + path(data.path("repo")));
    assertEquals(repository, "/api/repos/" + data.path("sourceRepo").textValue());
  }

  private static String path(JsonNode repo) {
    return repo.path("orgName").textValue() + "/" + repo.path("repoName").textValue();
  }

  @Test
  void a_subscription_whose_principal_can_no_longer_read_the_source_is_paused_without_a_run() {
    var own = sibling();
    var id = deliveries.webhook(own, repository, "across", "Sensor", receiver.url("/hook"));
    deliveries.webhook(own, repository, "kept", "Sensor", receiver.url("/hook"));
    var stranger = People.stranger();
    deliveries.set(id, "principal_id = (select id from account where email = ?)", stranger.email());
    Prepared.commit(repository, "{'operation':'add','name':'Sensor/a','data':{}}");
    runs(own).body("subscriptionName", contains("kept"));
    assertEquals("f", deliveries.value("select active from subscription where id = ?", id));
  }

  @Test
  void a_subscription_whose_principal_can_no_longer_read_its_own_repository_is_paused_too() {
    var lost = deliveries.webhook(repository, "lost", "Sensor", receiver.url("/hook"));
    var stranger = People.stranger();
    deliveries.set(
        lost, "principal_id = (select id from account where email = ?)", stranger.email());
    Prepared.commit(repository, "{'operation':'add','name':'Sensor/a','data':{}}");
    runs(repository).body("", empty());
    assertEquals("f", deliveries.value("select active from subscription where id = ?", lost));
    assertEquals(
        "0",
        deliveries.value(
            "select count(*) from matched_operation where repo_id = ?", Api.repoId(repository)));
    Stored.assertCounted(repository);
  }

  /** Pauses by the service do not wait for commits, so they leave the cache of watchers alone. */
  @Test
  void the_first_commit_after_a_pause_that_the_cache_does_not_know_makes_no_run_and_renews_it() {
    var gone = deliveries.webhook(repository, "gone", "Sensor", receiver.url("/hook"));
    deliveries.webhook(repository, "kept", "Sensor", receiver.url("/hook"));
    Prepared.commit(repository, "{'operation':'add','name':'Sensor/a','data':{}}");
    var cached = watchers();
    OwnConnections.database().update("update subscription set active = false where id = ?", gone);
    Prepared.commit(repository, "{'operation':'add','name':'Sensor/b','data':{}}");
    runs(repository).body("subscriptionName", containsInAnyOrder("gone", "kept", "kept"));
    Stored.assertCounted(repository);
    assertNotEquals(cached, watchers());
    var renewed = watchers();
    Prepared.commit(repository, "{'operation':'add','name':'Sensor/c','data':{}}");
    assertEquals(renewed, watchers());
  }

  private String watchers() {
    return deliveries.value(
        "select watchers from repository_head where repo_id = ?", Api.repoId(repository));
  }

  /** Whatever commits after a pause makes no run. */
  @Test
  void a_commit_waits_for_a_pause_that_is_in_progress() throws Exception {
    var id = deliveries.webhook(repository, "w", "Sensor", receiver.url("/hook"));
    Prepared.commit(repository, "{'operation':'add','name':'Sensor/a','data':{}}");
    HeldLock.afterChange(
            () -> Api.commit(repository, "{'operation':'add','name':'Sensor/b','data':{}}"),
            "update subscription set active = false where id = ?",
            id)
        .statusCode(201);
    runs(repository).body("", hasSize(1));
  }

  @Test
  void a_pause_waits_for_a_commit_that_makes_a_run_of_the_subscription() throws Exception {
    var first = deliveries.webhook(repository, "first", "Sensor", receiver.url("/hook"));
    var second = deliveries.webhook(repository, "second", "Sensor", receiver.url("/hook"));
    try (var holder = OwnConnections.dataSource().getConnection()) {
      holder.setAutoCommit(false);
      OwnConnections.execute(holder, "select from subscription where id = ? for update", second);
      var commit =
          CompletableFuture.supplyAsync(
              () -> Api.commit(repository, "{'operation':'add','name':'Sensor/a','data':{}}"),
              Threads.OWN);
      Waiting.awaitWaiters(holder, 1);
      var pause =
          CompletableFuture.runAsync(() -> deliveries.set(first, "active = false"), Threads.OWN);
      Waiting.awaitWaiters(holder, 2);
      holder.rollback();
      commit.get(10, TimeUnit.SECONDS).statusCode(201);
      pause.get(10, TimeUnit.SECONDS);
    }
    runs(repository).body("", hasSize(2));
  }

  /** As a pause locks them, so that the two do not deadlock. */
  @Test
  void commits_that_go_together_lock_the_subscriptions_in_the_order_of_their_creation()
      throws Exception {
    var first = deliveries.webhook(repository, "first", "Sensor", receiver.url("/hook"));
    var second = deliveries.webhook(repository, "second", "Other", receiver.url("/hook"));
    var lock = "select from subscription where id = ? for update";
    try (var head = OwnConnections.plain();
        var holder = OwnConnections.plain()) {
      head.setAutoCommit(false);
      holder.setAutoCommit(false);
      OwnConnections.execute(head, HeldLock.HEAD, Api.repoId(repository));
      OwnConnections.execute(holder, lock, first);
      var commits = new ArrayList<CompletableFuture<ValidatableResponse>>();
      // The second one waits for the lock too, and takes the third one along.
      for (var name : List.of("Unwatched", "Other/a", "Sensor/a")) {
        var data = name.equals("Unwatched") ? "{'fields':{}}" : "{}";
        var operation = "{'operation':'add','name':'%s','data':%s}".formatted(name, data);
        commits.add(
            CompletableFuture.supplyAsync(() -> Api.commit(repository, operation), Threads.OWN));
        awaitCommits(head, commits.size());
      }
      head.rollback();
      Waiting.awaitBlockedBy(holder);
      OwnConnections.execute(head, lock + " nowait", second);
      head.rollback();
      holder.rollback();
      for (var commit : commits) {
        commit.get(10, TimeUnit.SECONDS).statusCode(201);
      }
    }
    runs(repository).body("subscriptionName", containsInAnyOrder("first", "second"));
  }

  /** Two wait for the head, and further ones in this replica. */
  private static void awaitCommits(Connection connection, int count) throws Exception {
    Waiting.awaitWaiters(connection, Math.min(count, 2));
    if (count > 2) {
      Eventually.await(
          "a commit waits",
          () ->
              !Api.anonymous()
                  .get("/q/metrics")
                  .asString()
                  .contains("\ncairn_commits_waiting 0.0"));
    }
  }

  @Test
  void commits_of_people_begin_a_trace_each() {
    watch();
    Api.commit(repository, "{'operation':'add','name':'Sensor/a','data':{}}");
    Api.commit(repository, "{'operation':'add','name':'Sensor/b','data':{}}");
    deliveries.run(repository);
    var calls = receiver.calls();
    assertNotEquals(
        calls.get(0).header("X-Cairn-Trace-Id"), calls.get(1).header("X-Cairn-Trace-Id"));
  }

  @Test
  void run_ids_are_uuids_of_version_7() {
    watch();
    Api.commit(repository, "{'operation':'add','name':'Sensor/a','data':{}}");
    runs(repository).body("[0].runId", matchesRegex("[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-.*"));
  }
}
