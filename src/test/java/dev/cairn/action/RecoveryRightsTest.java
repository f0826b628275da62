package dev.cairn.action;

import static dev.cairn.Api.admin;
import static dev.cairn.Api.as;
import static org.hamcrest.Matchers.is;

import dev.cairn.Api;
import dev.cairn.HttpTest;
import dev.cairn.People;
import dev.cairn.TestDatabase;
import dev.cairn.Waiting;
import dev.cairn.access.token.Sprites;
import dev.cairn.platform.database.OwnConnections;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.response.Response;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** {@code docs/actions.md}, Recovery: who may, when it is done. */
@HttpTest
@QuarkusTest
class RecoveryRightsTest extends OneHook {
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
      try (var holder = OwnConnections.plain();
          var executor = Executors.newVirtualThreadPerTaskExecutor()) {
        holder.setAutoCommit(false);
        OwnConnections.execute(
            holder, "select from subscription where id = ? for update", subscription);
        var answer = executor.submit(() -> way.apply(other.token()));
        Waiting.awaitWaiters(holder, 1);
        admin().delete("/api/orgs/" + org + "/members/" + other.inPath()).then().statusCode(200);
        holder.rollback();
        answer.get(30, TimeUnit.SECONDS).then().statusCode(404);
      }
      assertStillFailed();
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
