package dev.cairn.live;

import static dev.cairn.Api.adminToken;
import static dev.cairn.Api.anonymous;
import static dev.cairn.Api.as;
import static dev.cairn.Api.commit;
import static dev.cairn.Api.newRepository;
import static dev.cairn.live.Events.ticket;
import static java.util.concurrent.CompletableFuture.supplyAsync;
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
import dev.cairn.Threads;
import dev.cairn.mcp.Subscribed;
import io.quarkus.test.junit.QuarkusTest;
import io.quarkus.test.junit.TestProfile;
import jakarta.inject.Inject;
import java.net.http.WebSocketHandshakeException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.stream.Stream;
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
      int open = clients.size();
      close(clients.remove());
      Eventually.await("there is room again", () -> watches.all().size() == open - 1);
      clients.add(LiveClient.of(adminToken(), repository));
    } finally {
      clients.forEach(LiveLimitTest::close);
    }
  }

  @Test
  void strangers_from_many_addresses_take_no_places_of_accounts_nor_all_of_other_strangers() {
    var repository = newRepository();
    var hidden = newRepository("private");
    var clients = new ArrayDeque<AutoCloseable>();
    try {
      clients.add(Events.from("198.51.100.1", repository));
      var newest = Events.from("198.51.100.1", repository);
      clients.add(newest);
      var other = Events.from("203.0.113.1", repository);
      clients.add(other);
      assertEquals(Limited.LIVE / 2, clients.size());
      // With one more, its network would have as many as the one with the most.
      isCrowded("203.0.113.2", repository);
      clients.add(Events.from("198.18.0.1", repository));
      newest.endsFor("crowded");
      isCrowded("198.51.100.2", repository);

      clients.add(LiveClient.of(adminToken(), hidden));
      clients.add(Events.of(adminToken(), hidden));
      as(adminToken()).get(hidden + "/head?waitFor=0").then().statusCode(200);
      addShape(repository);
      other.nextIsCommit(1);
    } finally {
      clients.forEach(LiveLimitTest::close);
    }
  }

  private static void isCrowded(String address, String repository) {
    anonymous()
        .header(Events.FORWARDED_FOR, address)
        .get(repository + "/head?waitFor=99")
        .then()
        .statusCode(503)
        .header("Retry-After", notNullValue())
        .body("code", is("UNAVAILABLE"));
  }

  @Test
  void a_client_of_the_account_with_the_most_ends_for_one_of_another() {
    var repository = newRepository();
    var clients = new ArrayDeque<AutoCloseable>();
    try {
      var persons = List.of(People.stranger(), People.stranger());
      var sockets = new ArrayList<LiveClient>();
      for (int i = 0; i < Limited.LIVE; i++) {
        sockets.add(LiveClient.of(persons.get(i % 2).token(), repository));
      }
      clients.addAll(sockets);
      clients.add(LiveClient.of(adminToken(), repository));
      Eventually.await("one has ended", () -> sockets.stream().anyMatch(LiveClient::hasEnded));
      var ended = sockets.stream().filter(LiveClient::hasEnded).toList();
      assertEquals(1, ended.size());
      ended.getFirst().endsWith(1013, "crowded");
      assertTrue(sockets.indexOf(ended.getFirst()) >= Limited.LIVE - 2);
    } finally {
      clients.forEach(LiveLimitTest::close);
    }
  }

  @Test
  void a_read_that_waits_ends_for_a_client_of_another_network() {
    var repository = newRepository();
    try (var _ = Events.from("203.0.113.1", repository)) {
      var waiting =
          Stream.generate(() -> supplyAsync(() -> waits("198.51.100.1", repository), Threads.OWN))
              .limit(Limited.LIVE_OF_ADDRESS)
              .toList();
      Eventually.await("all wait", () -> watches.all().size() == Limited.LIVE / 2);
      try (var _ = Events.from("198.18.0.1", repository)) {
        Eventually.await("one ends", () -> waiting.stream().anyMatch(CompletableFuture::isDone));
        addShape(repository);
        var answers = waiting.stream().map(CompletableFuture::join).sorted().toList();
        assertEquals(List.of(200, 503), answers);
      }
    }
  }

  private static void addShape(String repository) {
    commit(repository, "{'operation':'add','name':'Shape/S','data':{'fields':{}}}").statusCode(201);
  }

  private static int waits(String address, String repository) {
    return anonymous()
        .header(Events.FORWARDED_FOR, address)
        .get(repository + "/head?waitFor=1")
        .statusCode();
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
