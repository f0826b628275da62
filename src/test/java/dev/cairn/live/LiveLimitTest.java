package dev.cairn.live;

import static dev.cairn.Api.admin;
import static dev.cairn.Api.adminToken;
import static dev.cairn.Api.anonymous;
import static dev.cairn.Api.commit;
import static dev.cairn.Api.newRepository;
import static dev.cairn.live.Events.ticket;
import static org.hamcrest.Matchers.is;
import static org.hamcrest.Matchers.notNullValue;

import dev.cairn.Eventually;
import dev.cairn.HttpTest;
import dev.cairn.InProcess;
import dev.cairn.Limited;
import dev.cairn.People;
import dev.cairn.live.LiveLimitTest.Few;
import dev.cairn.platform.database.OwnConnections;
import io.quarkus.test.junit.QuarkusTest;
import io.quarkus.test.junit.QuarkusTestProfile;
import io.quarkus.test.junit.TestProfile;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** docs/live.md: The end, Limits. */
@HttpTest
@QuarkusTest
@InProcess("It has settings of its own.")
@TestProfile(Few.class)
class LiveLimitTest {
  private static final int OF_ACCOUNT = 3;
  private static final int OF_ADDRESS = 2;
  private static final int OF_ALL = 5;
  private static final int TICKETS = 20;

  /** Few clients, for a short time. */
  public static final class Few implements QuarkusTestProfile {
    @Override
    public Map<String, String> getConfigOverrides() {
      return Map.of(
          "cairn.limits.live-clients", String.valueOf(OF_ALL),
          "cairn.limits.live-clients-per-account", String.valueOf(OF_ACCOUNT),
          "cairn.limits.live-clients-per-address", String.valueOf(OF_ADDRESS),
          "cairn.limits.live-tickets-per-minute", String.valueOf(TICKETS),
          "cairn.live.max-duration", "PT10S",
          "cairn.live.idle-duration", "PT5S");
    }
  }

  private static String repository() {
    var repository = newRepository();
    commit(repository, "{'operation':'add','name':'Shape/S','data':{'fields':{}}}");
    return repository;
  }

  private static void refused(String token, String repository, int status) {
    anonymous()
        .get("/sse?ticket=" + ticket(token, repository))
        .then()
        .statusCode(status)
        .contentType("application/problem+json");
  }

  @Test
  void so_many_clients_follow_at_a_time() {
    Limited.refill();
    var repository = repository();
    try (var _ = Events.of(adminToken(), repository);
        var _ = Events.of(adminToken(), repository);
        var last = Events.of(adminToken(), repository);
        var _ = Events.of(null, repository);
        var _ = Events.of(null, repository)) {
      refused(adminToken(), repository, 429);
      refused(null, repository, 429);
      refused(People.stranger().token(), repository, 503);
      last.endsFor("idle");
      Eventually.await(
          "there is room again",
          () -> {
            try (var _ = Events.of(adminToken(), repository)) {
              return true;
            } catch (AssertionError _) {
              return false;
            }
          });
    }
  }

  @Test
  void a_stream_without_commits_ends_and_so_does_one_that_lasts() {
    Limited.refill();
    var repository = repository();
    try (var idle = Events.of(adminToken(), repository)) {
      idle.endsFor("idle");
    }
    try (var busy = Events.of(adminToken(), repository)) {
      for (int seq = 2; seq < 4; seq++) {
        OwnConnections.database().list("select pg_sleep(3)", _ -> true);
        commit(repository, "{'operation':'add','name':'S/" + seq + "','data':{}}");
        busy.nextIsCommit(seq);
      }
      busy.endsFor("max_duration");
    }
  }

  @Test
  void an_account_gets_so_many_tickets_a_minute() {
    Limited.refill();
    var repository = repository();
    for (int i = 0; i < TICKETS; i++) {
      ticket(adminToken(), repository);
    }
    admin()
        .post(repository + "/live/tickets")
        .then()
        .statusCode(429)
        .header("Retry-After", notNullValue())
        .body("code", is("RATE_LIMITED"));
    ticket(null, repository);
  }
}
