package dev.cairn.live;

import static dev.cairn.Api.admin;
import static dev.cairn.Api.adminToken;
import static dev.cairn.Api.anonymous;
import static dev.cairn.Api.as;
import static dev.cairn.Api.commit;
import static dev.cairn.Api.newRepository;
import static org.hamcrest.Matchers.hasItem;
import static org.hamcrest.Matchers.is;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.cairn.Api;
import dev.cairn.Eventually;
import dev.cairn.HttpTest;
import dev.cairn.LiveClients;
import dev.cairn.Metrics;
import dev.cairn.People;
import dev.cairn.Prepared;
import dev.cairn.Threads;
import dev.cairn.Wire;
import dev.cairn.access.token.InstalledComponent;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.RestAssured;
import io.restassured.response.Response;
import java.util.ArrayList;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** docs/live.md, Waiting reads. */
@HttpTest
@QuarkusTest
class WaitingReadTest {
  private static final int LIMIT_SECONDS = 25;

  /** More than the service has threads for requests, 200, and connections to its database, 20. */
  private static final int MANY = 250;

  private static final int UNAUTHENTICATED = 401;

  private String repository;

  @BeforeEach
  void makeRepository() {
    repository = newRepository();
    commit(repository, "{'operation':'add','name':'Shape/S','data':{'fields':{}}}");
  }

  private static void add(String repository, String name) {
    commit(repository, "{'operation':'add','name':'S/" + name + "','data':{}}").statusCode(201);
  }

  private static CompletableFuture<Response> later(Supplier<Response> request) {
    return CompletableFuture.supplyAsync(request, Threads.OWN);
  }

  /** Returns when a client follows besides those before. */
  private static void awaitWaiting(double before) {
    awaitWaiting(before, 1);
  }

  private static void awaitWaiting(double before, int more) {
    Eventually.await(more + " wait", () -> LiveClients.count() >= before + more);
  }

  @Test
  void a_commit_that_is_there_is_not_waited_for() {
    for (var seq : new String[] {"0", "1"}) {
      anonymous()
          .get(repository + "/head?waitFor=" + seq)
          .then()
          .statusCode(200)
          .body("repoSeq", is(1));
    }
  }

  @Test
  void a_token_that_ended_while_a_read_waited_reads_nothing() throws Exception {
    var component = new InstalledComponent(repository);
    var installer = People.member(repository.split("/", -1)[3], "viewer");
    var token = component.token(installer.email());
    double before = LiveClients.count();
    var answer = later(() -> as(token).get(repository + "/head?waitFor=2"));
    awaitWaiting(before);
    component.token(installer.email());
    add(repository, "a");
    answer
        .get(LIMIT_SECONDS, TimeUnit.SECONDS)
        .then()
        .statusCode(401)
        .body("code", is("UNAUTHENTICATED"));
  }

  @Test
  void a_token_that_expired_while_a_read_waited_reads_nothing() throws Exception {
    var token =
        Prepared.answer(
                201,
                adminToken(),
                "POST",
                "/api/pats",
                "{\"name\":\"%s\",\"expiresAt\":%d}"
                    .formatted(Api.unique("pat"), System.currentTimeMillis() + 4_000))
            .path("token")
            .textValue();
    double before = LiveClients.count();
    var answer = later(() -> as(token).get(repository + "/head?waitFor=2"));
    awaitWaiting(before);
    Eventually.await(
        "the token expires", () -> as(token).get("/api/whoami").statusCode() == UNAUTHENTICATED);
    add(repository, "a");
    answer
        .get(LIMIT_SECONDS, TimeUnit.SECONDS)
        .then()
        .statusCode(UNAUTHENTICATED)
        .body("code", is("UNAUTHENTICATED"));
  }

  @Test
  void a_read_waits_for_the_commit_that_it_names() throws Exception {
    double before = LiveClients.count();
    var answer = later(() -> anonymous().get(repository + "/head?waitFor=3"));
    awaitWaiting(before);
    add(repository, "a");
    assertFalse(answer.isDone());
    add(repository, "b");
    answer
        .get(LIMIT_SECONDS, TimeUnit.SECONDS)
        .then()
        .statusCode(200)
        .body("repoSeq", is(3))
        .body("items.wref", hasItem("S/b"));
  }

  @Test
  void reads_that_wait_hold_no_threads_and_no_connections_to_the_database() throws Exception {
    double before = LiveClients.count();
    double threads = Metrics.sum("jvm_threads_live_threads");
    var waiting = new ArrayList<Wire>();
    try {
      for (int i = 0; i < MANY; i++) {
        var wire = new Wire(RestAssured.port, adminToken());
        waiting.add(wire);
        wire.head("GET", repository + "/head?waitFor=2", 0);
      }
      awaitWaiting(before, MANY);
      // Chores may have one for a moment.
      Eventually.await("no connection is in use", () -> Metrics.sum("agroal_active_count") == 0);
      double more = Metrics.sum("jvm_threads_live_threads") - threads;
      assertTrue(more < MANY / 5, more + " more threads");
      add(repository, "a");
      for (var wire : waiting) {
        assertEquals(200, wire.answer().status());
      }
    } finally {
      waiting.forEach(Wire::close);
    }
  }

  @Test
  void a_caller_that_loses_access_is_answered_like_any_without() throws Exception {
    var hidden = newRepository("private");
    var org = hidden.split("/", -1)[3];
    var person = People.member(org, "viewer");
    double before = LiveClients.count();
    var answer = later(() -> as(person.token()).get(hidden + "/head?waitFor=9"));
    awaitWaiting(before);
    admin().delete("/api/orgs/" + org + "/members/" + person.inPath()).then().statusCode(200);
    answer.get(LIMIT_SECONDS, TimeUnit.SECONDS).then().statusCode(404);
    anonymous().get(hidden + "/head?waitFor=9").then().statusCode(404);
  }

  @Test
  void a_number_that_is_none_is_refused() {
    for (var wrong : new String[] {"", "-1", "x", "1.5", "1234567890123456789"}) {
      anonymous()
          .get(repository + "/head?waitFor=" + wrong)
          .then()
          .statusCode(400)
          .body("errors[0].pointer", is("?waitFor"));
    }
    anonymous()
        .get(repository + "/head?waitFor=9&at=1")
        .then()
        .statusCode(400)
        .body("errors[0].pointer", is("?waitFor"));
    anonymous()
        .get(repository + "/query?waitFor=1")
        .then()
        .statusCode(400)
        .body("errors[0].pointer", is("?waitFor"));
  }
}
