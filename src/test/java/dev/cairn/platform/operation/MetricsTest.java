package dev.cairn.platform.operation;

import static dev.cairn.Api.admin;
import static dev.cairn.Api.anonymous;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.cairn.Api;
import dev.cairn.HttpTest;
import dev.cairn.InProcess;
import dev.cairn.People;
import dev.cairn.platform.http.RawHttp;
import dev.cairn.work.QueueMetrics;
import io.quarkus.test.junit.QuarkusTest;
import io.vertx.core.Vertx;
import jakarta.inject.Inject;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Operation, Metrics: what is told of requests, of the pool and of the queues. */
@HttpTest
@QuarkusTest
@InProcess("It has the queues counted.")
class MetricsTest {
  private static final Pattern URI = Pattern.compile("uri=\"([^\"]*)\"");

  @Inject QueueMetrics queues;
  @Inject Vertx vertx;

  private static String metrics() {
    return anonymous().get("/q/metrics").then().statusCode(200).extract().asString();
  }

  private static Set<String> uris() {
    return URI.matcher(metrics()).results().map(MatchResult::group).collect(Collectors.toSet());
  }

  @Test
  void scrapes_at_the_same_time_share_few_readings() throws Exception {
    var scrapes = new ArrayList<CompletableFuture<String>>();
    for (int i = 0; i < 50; i++) {
      scrapes.add(
          CompletableFuture.supplyAsync(
              () -> RawHttp.get("/q/metrics").body(), Thread::startVirtualThread));
    }
    var read = new HashSet<String>();
    for (var scrape : scrapes) {
      read.add(scrape.get(20, TimeUnit.SECONDS));
    }
    assertTrue(read.size() < 25, read.size() + " different texts");
  }

  @Test
  void a_scrape_has_what_happened_before_it() {
    var repository = Api.newRepository();
    for (int i = 1; i <= 3; i++) {
      double before = count("/api/repos/{org}/{repo}/count");
      anonymous().get(repository + "/count").then().statusCode(200);
      assertEquals(before + 1, count("/api/repos/{org}/{repo}/count"));
    }
  }

  private static double count(String path) {
    return metrics()
        .lines()
        .filter(line -> line.startsWith("http_server_requests_seconds_count"))
        .filter(line -> line.contains("uri=\"" + path + "\""))
        .mapToDouble(line -> Double.parseDouble(line.substring(line.lastIndexOf(' '))))
        .sum();
  }

  @Test
  void tokens_are_verified_while_the_common_threads_are_busy() throws Exception {
    var fresh = People.pat(Api.adminToken(), null);
    var busy = new CountDownLatch(1);
    try {
      for (int i = 0; i < 400; i++) {
        var _ =
            vertx.executeBlocking(
                () -> {
                  busy.await();
                  return true;
                },
                false);
      }
      long begun = System.nanoTime();
      assertEquals(
          200, RawHttp.get("/api/whoami", "Authorization: Bearer " + fresh).status(), "whoami");
      assertTrue(System.nanoTime() - begun < TimeUnit.SECONDS.toNanos(5));
    } finally {
      busy.countDown();
    }
  }

  @Test
  void requests_are_counted_by_the_template_of_their_path_whatever_they_name() {
    var repository = Api.newRepository();
    var org = repository.split("/", -1)[3];
    Api.commit(repository, "{'operation':'add','name':'Secret','data':{'fields':{}}}");
    var paths =
        List.of(
            "/head",
            "/count",
            "/things/Shape%2FSecret",
            "/things/Secret/a/b",
            "/about/Secret/x",
            "/resolve/Secret/x",
            "/subs/nothing",
            "/actions/runs/1/attempts",
            "/nothing/of/the/kind");
    paths.forEach(path -> admin().get(repository + path));
    anonymous().get("/" + org + "/repo/llms.txt");
    anonymous().get("/" + org + "/nothing");
    admin().body("{}").post("/mcp/" + org + "/repo");
    var before = uris();
    assertFalse(metrics().contains(org), "the name of an organization");
    assertFalse(metrics().contains("Secret"), "the name of a shape");
    assertTrue(before.contains("uri=\"/mcp/{org}/{repo}\""), before::toString);
    assertTrue(before.contains("uri=\"/api/repos/{org}/{repo}/things/{wref}\""), before::toString);

    var other = Api.newRepository();
    paths.forEach(path -> admin().get(other + path + Api.unique("x")));
    assertEquals(before, uris(), "other names make no other series");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "MADEUP /x HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n",
        "GET /MADEUP HTTP/1.1\r\n\r\n",
        "GET /MADEUP HTTP/1.1\r\nHost: a b\r\n\r\n",
        "GET /MADEUP%zz HTTP/1.1\r\nHost: localhost\r\n\r\n",
        "GET /MADEUP/../x HTTP/1.1\r\nHost: localhost\r\n\r\n",
        "GET MADEUP HTTP/1.1\r\nHost: localhost\r\n\r\n",
        "GET /MADEUP HTTP/1.1\r\nHost: localhost\r\nContent-Length: x\r\n\r\n"
      })
  void what_clients_make_up_is_no_label(String request) {
    assertTrue(RawHttp.any(request).status() >= 400);
    assertEquals(List.of(), metrics().lines().filter(line -> line.contains("MADEUP")).toList());
  }

  @Test
  void times_have_buckets_so_that_quantiles_can_be_computed_over_replicas() {
    Api.newRepository();
    assertTrue(
        metrics()
            .lines()
            .anyMatch(
                line ->
                    line.startsWith("http_server_requests_seconds_bucket")
                        && line.contains("uri=\"/api/orgs/{org}/repos\"")
                        && line.contains("le=\"0.25\"")));
  }

  @Test
  void the_pool_of_connections_is_told_of() {
    var metrics = metrics();
    assertTrue(metrics.contains("agroal_awaiting_count{"), metrics);
    assertTrue(metrics.contains("agroal_active_count{"), metrics);
  }

  @Test
  void queues_are_told_of_even_where_nothing_waits() {
    queues.sample();
    var metrics = metrics();
    for (var queue :
        List.of("webhook", "sprite", "notification", "inbox", "schedules", "exports", "chores")) {
      for (var name : List.of("cairn_queue_depth", "cairn_queue_oldest_seconds")) {
        assertTrue(
            metrics.lines().anyMatch(l -> l.startsWith(name) && l.contains('"' + queue + '"')),
            name + " of " + queue);
      }
    }
    assertTrue(metrics.contains("cairn_queues_known 1.0"), metrics);
  }
}
