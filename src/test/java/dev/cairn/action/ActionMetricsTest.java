package dev.cairn.action;

import static dev.cairn.Api.admin;
import static dev.cairn.Api.anonymous;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.cairn.Api;
import dev.cairn.Eventually;
import dev.cairn.HttpTest;
import dev.cairn.InProcess;
import dev.cairn.platform.database.Database;
import dev.cairn.work.CountedQueue;
import dev.cairn.work.QueueMetrics;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.quarkus.test.junit.QuarkusTest;
import jakarta.inject.Inject;
import java.net.URI;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Operation, Metrics and Queues: every end of a run counts once, and what waits is told. */
@HttpTest
@QuarkusTest
@InProcess("It steps the worker, and asks the registry of metrics.")
class ActionMetricsTest extends OneHook {
  private static final Set<String> ENDS = Set.of("succeeded", "failed_terminal", "dead_letter");

  @Inject MeterRegistry metrics;
  @Inject QueueMetrics queues;
  @Inject RunKind kind;
  @Inject Database service;

  @BeforeEach
  void nothingElseWaits() {
    database.update("delete from action_run where status in ('pending', 'retry_wait', 'running')");
    database.update("update action_notification set status = 'delivered'");
  }

  private double ended() {
    return metrics.find("cairn.runs.transitions").counters().stream()
        .filter(counter -> ENDS.contains(counter.getId().getTag("status")))
        .mapToDouble(Counter::count)
        .sum();
  }

  private double transitions(String status) {
    return metrics
        .counter("cairn.runs.transitions", "executor", "webhook", "status", status)
        .count();
  }

  private void assertEnds(String status, int count, Runnable event) {
    double all = ended();
    double before = transitions(status);
    event.run();
    assertEquals(count, ended() - all, "ends");
    assertEquals(count, transitions(status) - before, status);
  }

  private String callback() {
    var url = URI.create(receiver.calls().getLast().json().at("/data/callbackUrl").textValue());
    return url.getRawPath() + "?" + url.getRawQuery();
  }

  @Test
  void each_run_that_ends_by_an_answer_counts_once() {
    assertEnds("succeeded", 1, () -> deliver(200));
    assertEnds("failed_terminal", 1, () -> deliver(400));
    assertEnds("succeeded", 0, () -> deliver(500));
  }

  @Test
  void each_run_that_ends_by_its_callback_counts_once() {
    assertEnds("succeeded", 0, () -> deliver(202));
    assertEnds("succeeded", 1, () -> report("succeeded", 200));
    assertEnds("succeeded", 0, () -> report("succeeded", 409));
    assertEnds("failed_terminal", 0, () -> deliver(202));
    assertEnds("failed_terminal", 1, () -> report("failed", 200));
  }

  private void report(String status, int answer) {
    anonymous()
        .body("{\"status\":\"%s\"}".formatted(status))
        .post(callback())
        .then()
        .statusCode(answer);
  }

  @Test
  void each_run_whose_time_is_over_counts_once() {
    deliver(202);
    database.update(
        "update action_run set due_at = now(), max_attempts = 1 where repo_id = ?",
        Api.repoId(repository));
    assertEnds("dead_letter", 1, kind::rescue);
    assertEnds("dead_letter", 0, kind::rescue);
  }

  @Test
  void an_end_that_is_taken_back_does_not_count() {
    deliver(202);
    database.update(
        "update action_run set due_at = now(), max_attempts = 1 where repo_id = ?",
        Api.repoId(repository));
    assertEnds(
        "dead_letter",
        0,
        () ->
            assertThrows(
                IllegalStateException.class,
                () ->
                    service.transaction(
                        () -> {
                          assertEquals(1, kind.rescue());
                          throw new IllegalStateException("taken back");
                        })));
    assertEnds("dead_letter", 1, kind::rescue);
  }

  @Test
  void each_run_that_ends_with_its_subscription_counts_once() throws InterruptedException {
    commit();
    var id = deliveries.onlyRun(repository);
    // More than end in the transaction of the deletion.
    database.update(
        """
        insert into action_run (repo_id, id, subscription_id, subscription_name, commit_id, matched,
                                envelope, executor_kind, target, trace_id, depth, status,
                                max_attempts, due_at, created_at, updated_at)
        select repo_id, gen_random_uuid(), subscription_id, subscription_name,
               lpad(to_hex(i), 16, '0'), matched, envelope, executor_kind, target, trace_id, depth,
               status, max_attempts, due_at, created_at, updated_at
        from action_run cross join generate_series(1, 1499) i where id = ?
        """,
        id);
    double before = ended();
    admin().delete(repository + "/subs/hook").then().statusCode(200);
    Eventually.await(
        () -> "1,500 runs are counted: " + (ended() - before), () -> ended() >= before + 1_500);
    assertEquals(1_500, ended() - before);
    assertEquals(0, deliveries.run(repository));
    assertEquals(1_500, ended() - before);
  }

  private CountedQueue.Count count(String queue, String state) {
    return queues.counts().stream()
        .filter(length -> length.queue().equals(queue) && length.state().equals(state))
        .findFirst()
        .orElseThrow();
  }

  private void assertWaits(String state, int oldest) {
    for (var other : List.of("due", "held", "later", "running", "callback")) {
      assertEquals(other.equals(state) ? 1 : 0, count("webhook", other).depth(), other);
    }
    double seconds = count("webhook", state).oldestSeconds();
    assertTrue(seconds >= oldest && seconds < oldest + 60, seconds + " s");
  }

  private void due(String interval) {
    database.update(
        "update action_run set due_at = now() + ?::interval where repo_id = ?",
        interval,
        Api.repoId(repository));
  }

  @Test
  void a_run_is_in_one_state_with_the_time_since_it_was_due() {
    commit();
    due("-100 seconds");
    assertWaits("due", 100);
    due("1 hour");
    assertWaits("later", 0);
    due("-200 seconds");
    database.update(
        """
        insert into delivery_target (repo_id, target, failures, open_until, updated_at)
        select repo_id, target, 10, now() + interval '1 minute', now() from action_run
        where repo_id = ? and status = 'pending'
        """,
        Api.repoId(repository));
    assertWaits("due", 200);
    database.update(
        "update action_run set urgent = false where repo_id = ?", Api.repoId(repository));
    assertWaits("held", 200);
    database.update(
        """
        update action_run set status = 'running', lease = gen_random_uuid(),
                              due_at = now() + interval '30 s'
        where repo_id = ?
        """,
        Api.repoId(repository));
    assertWaits("running", 0);
    database.update("update action_run set lease = null where repo_id = ?", Api.repoId(repository));
    due("-300 seconds");
    assertWaits("callback", 300);
  }

  @Test
  void notifications_wait_for_the_inbox_and_late_schedules_for_somebody_who_fires_them() {
    deliver(400);
    assertEquals(1, count("inbox", "due").depth());
    long late = count("schedules", "due").depth();
    deliveries.set(
        subscription,
        """
        kind = 'cron', cronspec = '*/5 * * * *', timezone = 'UTC', source_repo_id = null,
        next_tick_at = now() - interval '1 hour'
        """);
    assertEquals(late + 1, count("schedules", "due").depth());
    assertTrue(count("schedules", "due").oldestSeconds() >= 3600);
    database.update(
        "update repository set archived_at = now() where id = ?", Api.repoId(repository));
    assertEquals(late, count("schedules", "due").depth(), "those of archived repositories rest");
    database.update("delete from subscription where id = ?", subscription);
  }
}
