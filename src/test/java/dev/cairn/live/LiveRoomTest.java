package dev.cairn.live;

import static dev.cairn.Api.adminToken;
import static dev.cairn.Api.newRepository;
import static dev.cairn.live.Events.ticket;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import dev.cairn.Eventually;
import dev.cairn.HttpTest;
import dev.cairn.InProcess;
import dev.cairn.Limited;
import dev.cairn.Metrics;
import dev.cairn.People;
import dev.cairn.mcp.Subscribed;
import dev.cairn.platform.memory.HeapShare;
import io.quarkus.test.junit.QuarkusTest;
import io.quarkus.test.junit.TestProfile;
import jakarta.inject.Inject;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** docs/live.md, Limits: what clients keep in memory as long as they follow repositories. */
@HttpTest
@QuarkusTest
@TestProfile(Limited.class)
@InProcess("It knows the heap, and waits until nobody follows.")
class LiveRoomTest {
  private static final String METRIC = "cairn_live_clients_bytes";
  private static final int TARGETS = 100;
  private static final int LENGTH = 500;

  @Inject Watches watches;

  @BeforeEach
  void nobodyFollows() {
    Limited.refill();
    Eventually.await("the clients of other tests have gone", () -> watches.all().isEmpty());
    assertEquals(0, Metrics.sum(METRIC));
  }

  /** A query of 50 kB. */
  private static String large(int number) {
    return IntStream.range(0, TARGETS)
        .mapToObj(i -> "'S/%s%d.%d'".formatted("x".repeat(LENGTH), number, i))
        .collect(Collectors.joining(",", "{'limit':1,'about':[", "]}"));
  }

  private static JsonNode answer(LiveClient client, String id, String query) {
    client.subscribe(id, query);
    return client.next();
  }

  @Test
  void the_queries_of_a_stranger_take_at_most_a_quarter_of_the_room() {
    var repository = newRepository();
    long share = HeapShare.LIVE_CLIENTS_OF_ANONYMOUS.bytes() / ClientRoom.CALLER_FRACTION;
    try (var first = LiveClient.of(null, repository);
        var second = LiveClient.of(null, repository)) {
      int followed = 0;
      var last = answer(first, "0", large(0));
      while (last.get("type").textValue().equals("snapshot")) {
        followed++;
        var client = followed % 2 == 0 ? first : second;
        last = answer(client, String.valueOf(followed), large(followed));
      }
      assertEquals("RATE_LIMITED", last.get("code").textValue());
      double kept = Metrics.sum(METRIC);
      assertTrue(kept <= share, kept + " bytes of " + share);
      double one = (kept - 2 * ClientBytes.BYTES_OF_REPOSITORY) / followed;
      assertTrue(one >= TARGETS * LENGTH, one + " bytes of a query");
      assertTrue(kept + one > share, kept + " bytes of " + share);

      try (var account = LiveClient.of(adminToken(), repository)) {
        assertEquals("snapshot", answer(account, "q", large(0)).get("type").textValue());
      }
      first.send("{'type':'unsubscribe','id':'0'}");
      assertEquals("snapshot", answer(first, "more", large(0)).get("type").textValue());
    }
    Eventually.await("nothing is kept", () -> Metrics.sum(METRIC) == 0);
  }

  private static String[] patterns() {
    return IntStream.range(0, TARGETS)
        .mapToObj(i -> "S/" + "\u754c".repeat(150) + i)
        .toArray(String[]::new);
  }

  private double kept(String query) throws Exception {
    double kept;
    try (var events = Events.open(query)) {
      events.next("ready");
      kept = Metrics.sum(METRIC);
    }
    Eventually.await("the stream has ended", () -> watches.all().isEmpty());
    return kept;
  }

  @Test
  void the_patterns_of_each_token_of_a_stream_are_counted_once() throws Exception {
    var repository = newRepository("private");
    var first = People.narrowedPat(repository, "repo:read", patterns());
    var second = People.narrowedPat(repository, "repo:read", patterns());
    double one = kept("ticket=" + ticket(first, repository));
    assertTrue(one > TARGETS * 150 * 4, one + " bytes");
    double same =
        kept("ticket=" + ticket(first, repository) + "&ticket=" + ticket(first, repository));
    assertTrue(same < 1.1 * one, same + " and " + one + " bytes");
    double both =
        kept("ticket=" + ticket(first, repository) + "&ticket=" + ticket(second, repository));
    assertTrue(both > 1.9 * one, both + " and " + one + " bytes");
    try (var _ = LiveClient.of(first, repository)) {
      assertTrue(Metrics.sum(METRIC) > 0.9 * one);
    }
    double filtered =
        kept("match=S/" + "x".repeat(1_000) + "&ticket=" + ticket(adminToken(), repository));
    assertTrue(filtered > 12_000, filtered + " bytes");
  }

  @Test
  void the_resources_that_a_client_subscribes_to_are_counted() throws Exception {
    var repository = newRepository();
    try (var _ = Subscribed.to(adminToken(), Subscribed.uri(repository, "shapes"))) {
      assertTrue(Metrics.sum(METRIC) > ClientBytes.BYTES_OF_REPOSITORY);
    }
  }
}
