package dev.cairn.action;

import static dev.cairn.Api.admin;
import static dev.cairn.Api.as;
import static org.hamcrest.Matchers.is;
import static org.junit.jupiter.api.Assertions.assertFalse;

import dev.cairn.Api;
import dev.cairn.HeldLock;
import dev.cairn.HttpTest;
import dev.cairn.People;
import dev.cairn.TestDatabase;
import dev.cairn.Threads;
import dev.cairn.Waiting;
import dev.cairn.access.token.Sprites;
import dev.cairn.platform.database.OwnConnections;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.response.Response;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** {@code docs/actions.md}, Recovery: who may, when it is done. */
@HttpTest
@QuarkusTest
class RecoveryRightsTest extends OneHook {
  /** It holds the organization, as any change of members does. */
  private static final String REMOVE =
      """
      with o as (select id from organization where name = ? for no key update)
      delete from member m using o, account a
      where m.org_id = o.id and m.account_id = a.id and a.email = ?
      """;

  @BeforeEach
  void failOnce() {
    deliver(400);
    assertStillFailed();
  }

  private void assertStillFailed() {
    run().body("status", is("failed_terminal")).body("attemptCount", is(1));
  }

  /** Both ways to bring the run back. */
  private List<Function<String, Response>> ways() {
    var retry = repository + "/actions/runs/" + deliveries.onlyRun(repository) + "/retry";
    return List.of(
        token -> as(token).post(retry),
        token -> as(token).body(Map.of("since", 0)).post(repository + "/subs/hook/recover"));
  }

  @Test
  void a_member_removed_while_waiting_recovers_no_run() throws Exception {
    var org = repository.split("/", -1)[3];
    for (var way : ways()) {
      var other = People.member(org, "admin");
      HeldLock.afterChange(() -> way.apply(other.token()), REMOVE, org, other.email())
          .then()
          .statusCode(404);
      assertStillFailed();
    }
  }

  /** Whoever may not know the repository any longer does not learn what became of its run. */
  @Test
  void a_member_removed_while_waiting_is_not_told_that_the_subscription_was_deleted()
      throws Exception {
    var way = ways().getFirst();
    admin().delete(repository + "/subs/hook").then().statusCode(200);
    way.apply(Api.adminToken())
        .then()
        .statusCode(409)
        .body("details.reason", is("subscription_deleted"));
    var org = repository.split("/", -1)[3];
    var other = People.member(org, "admin");
    HeldLock.afterChange(() -> way.apply(other.token()), REMOVE, org, other.email())
        .then()
        .statusCode(404);
  }

  @Test
  void a_token_revoked_while_it_waits_for_the_run_recovers_no_run() throws Exception {
    var org = repository.split("/", -1)[3];
    for (var way : ways()) {
      var other = People.member(org, "admin");
      var token = People.pat(other.token(), null);
      HeldLock.during(
              () -> way.apply(token),
              () -> People.revokeTokens(other.email()),
              "select from action_run where repo_id = ? for update",
              Api.repoId(repository))
          .then()
          .statusCode(401);
      assertStillFailed();
    }
  }

  /** It is in progress until the run is free, so archiving waits for it. */
  @Test
  void nothing_is_archived_while_a_run_is_brought_back() throws Exception {
    for (var way : ways()) {
      var archiving = new CompletableFuture<Response>();
      HeldLock.during(
              () -> way.apply(Api.adminToken()),
              () -> {
                archiving.completeAsync(
                    () -> admin().body(Map.of("archived", true)).patch(repository), Threads.OWN);
                try (var own = OwnConnections.plain()) {
                  Waiting.awaitWaitersUnless(own, 2, archiving::isDone);
                }
                assertFalse(archiving.isDone());
              },
              "select from action_run where repo_id = ? for update",
              Api.repoId(repository))
          .then()
          .statusCode(200);
      archiving.get(30, TimeUnit.SECONDS).then().statusCode(200);
      admin().body(Map.of("archived", false)).patch(repository).then().statusCode(200);
      deliver(400);
    }
  }

  @Test
  void a_token_that_is_narrowed_for_reading_brings_nothing_back() {
    var resource = String.join("/", List.of(repository.split("/", -1)).subList(3, 5));
    var narrowed =
        People.pat(
            Api.adminToken(),
            "{'resource':'%s','permissions':['repo:read'],'allowedMatches':['None/*']},"
                    .formatted(resource)
                + "{'resource':'%s','permissions':['repo:configure']}"
                    .formatted(resource.split("/", -1)[0]));
    as(narrowed).get(repository + "/credential-sets").then().statusCode(403);
    for (var way : ways()) {
      way.apply(narrowed).then().statusCode(403);
    }
    assertStillFailed();
  }

  @Test
  void in_an_archived_repository_nothing_is_brought_back() {
    var ways = ways();
    admin().body(Map.of("archived", true)).patch(repository).then().statusCode(200);
    for (var way : ways) {
      way.apply(Api.adminToken()).then().statusCode(409).body("code", is("ARCHIVED"));
    }
    assertStillFailed();
  }

  /** It could bring its own run back, get a new token with it, and so go on without end. */
  @Test
  void the_token_of_a_sprite_brings_nothing_back() {
    var ways = ways();
    var token =
        new Sprites(repository)
            .token(TestDatabase.ADMIN_EMAIL, "[{'permissions':['repo:read','repo:configure']}]")
            .orElseThrow();
    as(token).get(repository).then().statusCode(200);
    for (var way : ways) {
      way.apply(token).then().statusCode(403).body("code", is("FORBIDDEN"));
    }
  }
}
