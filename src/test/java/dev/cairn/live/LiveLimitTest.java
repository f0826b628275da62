package dev.cairn.live;

import static dev.cairn.Api.adminToken;
import static dev.cairn.Api.anonymous;
import static dev.cairn.Api.as;
import static dev.cairn.Api.newRepository;
import static dev.cairn.live.Events.ticket;
import static org.hamcrest.Matchers.is;
import static org.hamcrest.Matchers.notNullValue;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.cairn.Eventually;
import dev.cairn.HttpTest;
import dev.cairn.InProcess;
import dev.cairn.Limited;
import dev.cairn.People;
import dev.cairn.mcp.Subscribed;
import io.quarkus.test.junit.QuarkusTest;
import io.quarkus.test.junit.TestProfile;
import jakarta.inject.Inject;
import java.net.http.WebSocketHandshakeException;
import java.util.ArrayDeque;
import java.util.List;
import java.util.concurrent.CompletionException;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** docs/live.md, Limits: how many clients follow, and how many tickets they get. */
@HttpTest
@QuarkusTest
@TestProfile(Limited.class)
@InProcess("It waits until nobody follows.")
class LiveLimitTest {
  @Inject Watches watches;

  @BeforeEach
  void nobodyFollows() {
    Limited.refill();
    Eventually.await("the clients of other tests have gone", () -> watches.all().isEmpty());
  }

  private static void refused(String token, String repository, int status) {
    anonymous()
        .get("/sse?ticket=" + ticket(token, repository))
        .then()
        .statusCode(status)
        .contentType("application/problem+json");
  }

  private static void socketIsRefused(String token, String repository, int status) {
    var refused =
        assertThrows(CompletionException.class, () -> LiveClient.of(token, repository)).getCause();
    assertEquals(
        status,
        assertInstanceOf(WebSocketHandshakeException.class, refused).getResponse().statusCode());
  }

  private static void subscriptionIsRefused(String token, String repository) {
    Subscribed.ask(token, List.of(Subscribed.uri(repository, "shapes")))
        .statusCode(429)
        .contentType("application/json")
        .header("Retry-After", notNullValue())
        .body("id", is(7))
        .body("error.code", is(-32_600))
        .body("error.data.code", is("RATE_LIMITED"));
  }

  @Test
  void so_many_clients_follow_at_a_time() {
    var repository = newRepository();
    var clients = new ArrayDeque<AutoCloseable>();
    try {
      clients.add(LiveClient.of(adminToken(), repository));
      clients.add(Subscribed.to(adminToken(), Subscribed.uri(repository, "shapes")));
      while (clients.size() < Limited.LIVE_OF_ACCOUNT) {
        clients.add(Events.of(adminToken(), repository));
      }
      refused(adminToken(), repository, 429);
      socketIsRefused(adminToken(), repository, 429);
      subscriptionIsRefused(adminToken(), repository);
      clients.add(LiveClient.of(null, repository));
      while (clients.size() < Limited.LIVE_OF_ACCOUNT + Limited.LIVE_OF_ADDRESS) {
        clients.add(Events.of(null, repository));
      }
      refused(null, repository, 429);
      socketIsRefused(null, repository, 429);
      assertEquals(Limited.LIVE, clients.size());
      refused(People.stranger().token(), repository, 503);
      close(clients.remove());
      Eventually.await("there is room again", () -> watches.all().size() == Limited.LIVE - 1);
      clients.add(LiveClient.of(adminToken(), repository));
    } finally {
      clients.forEach(LiveLimitTest::close);
    }
  }

  private static void close(AutoCloseable client) {
    try {
      client.close();
    } catch (Exception e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void an_account_gets_so_many_tickets_a_minute() {
    var repository = newRepository();
    // One more every three seconds, so that there may be some more on a slow machine.
    int issued = 0;
    var answer = as(adminToken()).post(repository + "/live/tickets");
    for (; answer.statusCode() == 201 && issued < 10 * Limited.TICKETS; issued++) {
      answer = as(adminToken()).post(repository + "/live/tickets");
    }
    assertTrue(issued >= Limited.TICKETS, issued + " tickets");
    answer
        .then()
        .statusCode(429)
        .header("Retry-After", notNullValue())
        .body("code", is("RATE_LIMITED"));
    ticket(null, repository);
  }
}
