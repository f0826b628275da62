package dev.cairn.action;

import static dev.cairn.Api.admin;
import static org.hamcrest.Matchers.empty;
import static org.hamcrest.Matchers.hasSize;
import static org.hamcrest.Matchers.is;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.cairn.Api;
import dev.cairn.HttpTest;
import dev.cairn.InProcess;
import dev.cairn.People;
import dev.cairn.Stored;
import dev.cairn.platform.Ids;
import dev.cairn.platform.database.Database;
import dev.cairn.subscription.CronSchedule;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.response.ValidatableResponse;
import jakarta.inject.Inject;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Actions, Schedules: which ticks fire, and how often. */
@HttpTest
@QuarkusTest
@InProcess("It fires schedules at times of its own.")
class CronTicksTest {
  private static final Instant NOON = Instant.parse("2026-11-22T12:00:00Z");

  @Inject Database database;
  @Inject CronTicks ticks;

  private final Receiver receiver = new Receiver();
  private Deliveries deliveries;
  private String repository;
  private UUID subscription;

  @BeforeEach
  void schedule() {
    deliveries = new Deliveries();
    repository = Api.newRepository("private");
    subscription = Ids.next();
    database.update(
        """
        insert into subscription (repo_id, id, name, kind, executor_kind, active, webhook_url,
                                  cronspec, timezone, next_tick_at, allow_trace_reentry,
                                  notify_on_success, workspace_policy, base_url, created_at,
                                  updated_at)
        values (?, ?, 'clock', 'cron', 'webhook', true, ?, '0 * * * *', 'UTC', ?, false, false,
                'ignore', 'https://cairn.example.org', now(), now())
        """,
        Api.repoId(repository),
        subscription,
        receiver.url("/"),
        NOON);
  }

  @AfterEach
  void close() {
    database.update("delete from subscription where id = ?", subscription);
    receiver.close();
  }

  /** Copies of the schedule in a repository, each of which was due a second before the last. */
  private void copies(String repository, int count) {
    database.update(
        """
        insert into subscription (repo_id, id, name, kind, executor_kind, active, webhook_url,
                                  cronspec, timezone, next_tick_at, allow_trace_reentry,
                                  notify_on_success, workspace_policy, base_url, created_at,
                                  updated_at)
        select ?, gen_random_uuid(), 'copy-' || i, kind, executor_kind, true, webhook_url,
               cronspec, timezone, next_tick_at - make_interval(secs => 2 + i),
               allow_trace_reentry, notify_on_success, workspace_policy, base_url, now(), now()
        from subscription, generate_series(1, ?) i where id = ?
        """,
        Api.repoId(repository),
        count,
        subscription);
  }

  @Test
  void the_many_schedules_of_a_tenant_delay_those_of_its_other_repositories_and_others_by_a_turn() {
    int many = CronTicks.MAX_DUE + 50;
    var busy = Api.newRepository("private");
    var other = People.repositoryOfStranger();
    copies(busy, many);
    copies(other, 1);
    try {
      var order = ticks.due(NOON).stream().map(CronTicks.Due::repoId).toList();
      assertEquals(CronTicks.MAX_DUE, order.size());
      assertEquals(
          List.of(Api.repoId(busy), Api.repoId(other), Api.repoId(repository), Api.repoId(busy)),
          order.subList(0, 4));
      assertEquals(CronTicks.MAX_DUE, ticks.fire(NOON));
      assertEquals(many + 2 - CronTicks.MAX_DUE, ticks.fire(NOON));
    } finally {
      for (var each : List.of(busy, other)) {
        database.update("delete from subscription where repo_id = ?", Api.repoId(each));
      }
    }
  }

  private ValidatableResponse runs() {
    return admin().get(repository + "/actions/runs").then().statusCode(200);
  }

  private Instant next() {
    return Instant.parse(
        deliveries.value(
            """
            select to_char(next_tick_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"')
            from subscription where id = ?
            """,
            subscription));
  }

  @Test
  void a_tick_makes_a_run_with_what_stands_for_a_commit() {
    assertEquals(0, ticks.fire(NOON.minusMillis(1)));
    assertEquals(1, ticks.fire(NOON));
    Stored.assertCounted(repository);
    assertEquals(NOON.plus(1, ChronoUnit.HOURS), next());
    deliveries.run(repository);
    var body = receiver.only().json();
    assertEquals("cairn.cron", body.path("type").textValue());
    assertEquals(NOON.toString(), body.path("timestamp").textValue());
    assertEquals(NOON.toEpochMilli(), body.at("/data/scheduledAt").longValue());
    assertEquals("[]", body.at("/data/matchedOperationIndexes").toString());
    assertEquals("[]", body.at("/data/matchedOperations").toString());
    assertFalse(body.path("data").has("commit"));
    var commitId = CronTicks.commitId(subscription, NOON);
    assertTrue(commitId.matches("[0-9a-f]{16}"));
    runs()
        .body("[0].commitId", is(commitId))
        .body("[0].subscriptionName", is("clock"))
        .body("[0].status", is("succeeded"))
        .body("[0].matchedOperationIndexes", empty());
    admin()
        .get(repository + "/actions/subs/clock/commits/" + commitId + "/attempts")
        .then()
        .statusCode(200)
        .body("", hasSize(1));
  }

  @Test
  void a_tick_fires_once_over_all_replicas() throws Exception {
    try (var replicas = Executors.newVirtualThreadPerTaskExecutor()) {
      var fired =
          replicas.invokeAll(
              IntStream.range(0, 8)
                  .<Callable<Integer>>mapToObj(_ -> () -> ticks.fire(NOON))
                  .toList());
      int sum = 0;
      for (var one : fired) {
        sum += one.get();
      }
      assertEquals(1, sum);
    }
    database.update("update subscription set next_tick_at = ? where id = ?", NOON, subscription);
    ticks.fire(NOON);
    runs().body("", hasSize(1));
  }

  @Test
  void a_tick_that_is_five_minutes_late_fires_and_one_that_is_later_is_dropped() {
    assertEquals(1, ticks.fire(NOON.plus(5, ChronoUnit.MINUTES)));
    var one = NOON.plus(1, ChronoUnit.HOURS);
    assertEquals(one, next());
    assertEquals(0, ticks.fire(one.plus(5, ChronoUnit.MINUTES).plusMillis(1)));
    assertEquals(one.plus(1, ChronoUnit.HOURS), next());
    runs().body("", hasSize(1));
  }

  @Test
  void after_a_long_time_only_the_last_tick_fires_if_it_is_not_too_late() {
    assertEquals(1, ticks.fire(NOON.plus(50, ChronoUnit.HOURS).plusSeconds(60)));
    assertEquals(NOON.plus(51, ChronoUnit.HOURS), next());
    runs()
        .body("", hasSize(1))
        .body(
            "[0].commitId", is(CronTicks.commitId(subscription, NOON.plus(50, ChronoUnit.HOURS))));
  }

  @Test
  void where_two_ticks_are_not_too_late_the_last_one_fires() {
    var every5 = CronSchedule.of("*/5 * * * *", "UTC");
    var late = CronTicks.ticks(every5::next, NOON, NOON.plus(5, ChronoUnit.MINUTES));
    assertEquals(NOON.plus(5, ChronoUnit.MINUTES), late.firesAt());
    assertEquals(NOON.plus(10, ChronoUnit.MINUTES), late.nextAt());
  }

  @Test
  void an_hour_that_the_clock_skips_or_repeats_fires_once() {
    var berlin = CronSchedule.of("30 2 * * *", "Europe/Berlin");
    var spring = Instant.parse("2027-03-28T01:00:00Z");
    assertEquals(spring, CronTicks.ticks(berlin::next, spring, spring).firesAt());
    var newYork = CronSchedule.of("30 1 * * *", "America/New_York");
    var first = Instant.parse("2026-11-01T05:30:00Z");
    var ticked = CronTicks.ticks(newYork::next, first, first);
    assertEquals(first, ticked.firesAt());
    assertEquals(Instant.parse("2026-11-02T06:30:00Z"), ticked.nextAt());
  }

  @Test
  void what_is_paused_or_archived_does_not_tick() {
    database.update("update subscription set active = false where id = ?", subscription);
    assertEquals(0, ticks.fire(NOON));
    database.update("update subscription set active = true where id = ?", subscription);
    admin().body(Map.of("archived", true)).patch(repository).then().statusCode(200);
    assertEquals(0, ticks.fire(NOON));
    runs().body("", empty());
  }

  @Test
  void a_schedule_that_cannot_be_read_holds_no_other_one_up() {
    database.update("update subscription set timezone = 'Mars/Olympus' where id = ?", subscription);
    assertEquals(0, ticks.fire(NOON));
    assertEquals(
        "t",
        deliveries.value(
            "select next_tick_at is null from subscription where id = ?", subscription));
  }
}
