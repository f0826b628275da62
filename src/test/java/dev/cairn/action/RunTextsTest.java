package dev.cairn.action;

import static dev.cairn.Api.admin;
import static dev.cairn.Api.anonymous;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.cairn.Api;
import dev.cairn.HttpTest;
import dev.cairn.InProcess;
import dev.cairn.Stored;
import dev.cairn.platform.database.Database;
import io.quarkus.test.junit.QuarkusTest;
import jakarta.inject.Inject;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** docs/limits.md, Quotas: the texts of runs are counted, and are given back with the runs. */
@HttpTest
@QuarkusTest
@InProcess("It has old runs removed.")
class RunTextsTest extends OneNotification {
  /** The most that a callback may have, in bytes. */
  private static final int LONG = 3 * 2_000;

  private static final String TEXT = "€".repeat(2_000);

  @Inject Retention retention;
  @Inject Database service;
  @Inject AttemptResults results;

  private long grown(Runnable change) {
    long before = Stored.assertCounted(repository);
    change.run();
    return Stored.assertCounted(repository) - before;
  }

  private void report(Map<String, ?> report) {
    anonymous().body(report).post(receiver.calls().getLast().callback()).then().statusCode(200);
  }

  private void retry() {
    var run = admin().get(repository + "/actions/runs").path("[0].runId");
    admin().post(repository + "/actions/runs/" + run + "/retry").then().statusCode(200);
  }

  @Test
  void the_latest_message_of_an_attempt_counts() {
    deliver(202);
    assertEquals(LONG, grown(() -> report(Map.of("status", "progress", "message", TEXT))));
    assertEquals(0, grown(() -> report(Map.of("status", "progress", "progress", 0.5))));
    assertEquals(3 - LONG, grown(() -> report(Map.of("status", "progress", "message", "€"))));
  }

  @Test
  void an_error_counts_in_its_attempt_the_run_and_each_notification_of_each_retry() {
    tellBy("");
    deliver(202);
    var failure = Map.of("status", "retry", "message", TEXT, "errorMessage", TEXT);
    // A mark of whose message it is comes first.
    int error = LONG + 1;
    assertEquals(LONG + 2 * error, grown(() -> report(failure)));
    // The run has the last one alone.
    assertEquals(
        LONG + error,
        grown(
            () -> {
              runNextAttempt();
              report(failure);
            }));
    runNextAttempt();
    long last =
        grown(() -> report(Map.of("status", "failed", "message", TEXT, "errorMessage", TEXT)));
    // The message and the error of the attempt, the error of the run, of the notifications of both
    // channels, and in the body of the call.
    assertTrue(last > 6 * LONG && last < 7 * LONG, "grew by " + last);
    receiver.answering(200);
    retry();
    runNextAttempt();
    Stored.assertCounted(repository);
  }

  @Test
  void what_a_command_wrote_counts() {
    deliver(202);
    var run =
        service
            .first(
                "select repo_id, id, attempt_count, max_attempts, lease from action_run"
                    + " where repo_id = ?",
                RunningAttempt::read,
                Api.repoId(repository))
            .orElseThrow();
    var output = run.succeeded(new Outcome.Succeeded(null)).withOutput(TEXT);
    assertEquals(LONG, grown(() -> results.write(List.of(output))));
  }

  @Test
  void the_end_of_runs_with_their_subscription_is_counted() {
    deliver(202);
    report(Map.of("status", "retry", "errorMessage", TEXT));
    commit();
    long change = grown(() -> admin().delete(repository + "/subs/hook").then().statusCode(200));
    assertTrue(change < 0, "grew by " + change);
  }

  @Test
  void retention_gives_back_all_that_runs_and_their_calls_have_added() {
    tellBy("");
    long before = Stored.assertCounted(repository);
    deliver(202);
    report(Map.of("status", "failed", "message", TEXT, "errorMessage", TEXT));
    runNextAttempt();
    told.answering(500);
    deliver(202);
    report(Map.of("status", "failed", "errorMessage", TEXT));
    runNextAttempt();
    var repoId = Api.repoId(repository);
    long added = Stored.assertCounted(repository) - before;
    assertTrue(added > 10 * LONG, "added " + added);
    // The call of the first run goes before its run, and that of the second one after it.
    removeOld(repoId, "executor_kind = 'notification'", "status = 'succeeded'");
    Stored.assertCounted(repository);
    removeOld(repoId, "executor_kind <> 'notification'", "true");
    Stored.assertCounted(repository);
    service.update(
        "update action_run set status = 'dead_letter', due_at = null, ended_at = now()"
            + " where repo_id = ? and ended_at is null",
        repoId);
    removeOld(repoId, "true", "true");
    long left = Stored.assertCounted(repository) - before;
    assertTrue(left < LONG, "left " + left);
    assertEquals(0, count("action_run", repoId) + count("action_notification", repoId));
  }

  @Test
  void a_notification_that_is_removed_with_its_run_and_with_its_call_is_given_back_once() {
    tellBy("");
    deliver(202);
    report(Map.of("status", "failed", "errorMessage", TEXT));
    runNextAttempt();
    removeOld(Api.repoId(repository), "true", "true");
    Stored.assertCounted(repository);
    assertEquals(0, count("action_run", Api.repoId(repository)));
  }

  private long count(String table, UUID repoId) {
    return service
        .first(
            "select count(*) from " + table + " where repo_id = ?", row -> row.getLong(1), repoId)
        .orElseThrow();
  }

  private void removeOld(UUID repoId, String kind, String condition) {
    service.update(
        "update action_run set ended_at = now() - interval '91 days'"
            + " where repo_id = ? and ended_at is not null and %s and %s"
                .formatted(kind, condition),
        repoId);
    retention.runBatch();
  }
}
