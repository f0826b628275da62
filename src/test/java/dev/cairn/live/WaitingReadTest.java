package dev.cairn.live;

import static dev.cairn.Api.admin;
import static dev.cairn.Api.anonymous;
import static dev.cairn.Api.as;
import static dev.cairn.Api.commit;
import static dev.cairn.Api.newRepository;
import static org.hamcrest.Matchers.hasItem;
import static org.hamcrest.Matchers.is;
import static org.junit.jupiter.api.Assertions.assertFalse;

import dev.cairn.Eventually;
import dev.cairn.HttpTest;
import dev.cairn.LiveClients;
import dev.cairn.People;
import dev.cairn.Threads;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.response.Response;
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
    Eventually.await("somebody waits", () -> LiveClients.count() > before);
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
