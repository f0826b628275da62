package dev.cairn.action;

import static dev.cairn.Api.admin;
import static org.hamcrest.Matchers.contains;
import static org.hamcrest.Matchers.hasSize;
import static org.hamcrest.Matchers.is;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.cairn.Api;
import dev.cairn.HttpTest;
import dev.cairn.InProcess;
import dev.cairn.Prepared;
import dev.cairn.Waiting;
import dev.cairn.platform.database.Database;
import dev.cairn.platform.database.OwnConnections;
import dev.cairn.work.ActiveAttempt;
import dev.cairn.work.Slots;
import dev.cairn.work.TargetQueue;
import dev.cairn.work.WorkTarget;
import dev.cairn.work.Worker;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.response.ValidatableResponse;
import jakarta.inject.Inject;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Actions, Workers: a worker that comes too late changes nothing. */
@HttpTest
@QuarkusTest
@InProcess("It claims runs and writes results against the worker.")
class RunRaceTest {
  @Inject Database database;
  @Inject Worker<RunAttempt, Outcome> worker;
  @Inject RunKind kind;
  @Inject RunQueue queue;
  @Inject AttemptResults results;
  @Inject AttemptResultRules rules;

  private final Receiver receiver = new Receiver();
  private final CountDownLatch arrived = new CountDownLatch(1);
  private final CountDownLatch released = new CountDownLatch(1);
  private Deliveries deliveries;
  private String repository;

  @BeforeEach
  void subscribe() {
    deliveries = new Deliveries();
    repository = Api.newRepository("private");
    Api.commit(repository, "{'operation':'add','name':'Sensor','data':{'fields':{}}}");
    deliveries.webhook(repository, "hook", "Sensor", receiver.url("/"));
    receiver.answering(
        _ -> {
          arrived.countDown();
          released.await(20, TimeUnit.SECONDS);
          return Receiver.status(200);
        });
    Prepared.commit(repository, "{'operation':'add','name':'Sensor/a','data':{}}");
  }

  @AfterEach
  void close() {
    released.countDown();
    receiver.close();
  }

  /** Begins the attempt and returns when the receiver has it. */
  private List<ActiveAttempt<RunAttempt, Outcome>> beginAndHang() throws InterruptedException {
    var begun = deliveries.begin(repository);
    assertEquals(1, begun.size());
    assertTrue(arrived.await(20, TimeUnit.SECONDS));
    return begun;
  }

  private void endLease() {
    database.update(
        "update action_run set due_at = now() where repo_id = ?", Api.repoId(repository));
  }

  private ValidatableResponse run() {
    return admin().get(repository + "/actions/runs").then().rootPath("[0]");
  }

  private ValidatableResponse attempts() {
    return admin()
        .get(repository + "/actions/runs/" + deliveries.onlyRun(repository) + "/attempts")
        .then();
  }

  @Test
  void a_claimed_run_is_claimed_by_nobody_else() throws InterruptedException {
    var begun = beginAndHang();
    assertEquals(List.of(), deliveries.begin(repository));
    run().body("status", is("running"));
    released.countDown();
    deliveries.await(begun);
    run().body("status", is("succeeded"));
    assertEquals(1, receiver.calls().size());
  }

  @Test
  void a_run_whose_lease_ended_is_tried_again_and_its_first_worker_changes_nothing_any_more()
      throws InterruptedException {
    var begun = beginAndHang();
    endLease();
    kind.rescue();
    run().body("status", is("retry_wait")).body("lastErrorCode", is("WORKER_LOST"));
    released.countDown();
    deliveries.await(begun);
    run().body("status", is("retry_wait")).body("lastErrorCode", is("WORKER_LOST"));
    attempts().body("status", contains("failed")).body("errorCode", contains("WORKER_LOST"));
    deliveries.hurry(repository);
    deliveries.run(repository);
    run().body("status", is("succeeded")).body("attemptCount", is(2));
    attempts().body("status", contains("failed", "succeeded"));
    assertEquals(2, receiver.calls().size());
  }

  @Test
  void the_last_attempt_that_is_lost_is_a_dead_letter() throws InterruptedException {
    database.update(
        "update action_run set max_attempts = 1 where repo_id = ?", Api.repoId(repository));
    beginAndHang();
    endLease();
    kind.rescue();
    run().body("status", is("dead_letter")).body("lastErrorCode", is("WORKER_LOST"));
    admin()
        .get(repository + "/actions/notifications")
        .then()
        .body("", hasSize(1))
        .body("[0].errorCode", is("WORKER_LOST"));
  }

  @Test
  void a_worker_that_renews_its_lease_keeps_the_run() throws InterruptedException {
    var begun = beginAndHang();
    endLease();
    worker.renew();
    kind.rescue();
    run().body("status", is("running"));
    released.countDown();
    deliveries.await(begun);
    run().body("status", is("succeeded")).body("attemptCount", is(1));
  }

  @Test
  void a_worker_cancels_an_attempt_whose_run_another_worker_has() throws InterruptedException {
    var begun = beginAndHang();
    database.update(
        "update action_run set lease = ? where repo_id = ?",
        UUID.randomUUID(),
        Api.repoId(repository));
    worker.renew();
    deliveries.await(begun);
    run().body("status", is("running"));
    attempts().body("status", contains("started"));
  }

  @Test
  void a_rescuer_and_a_worker_that_ends_write_one_end_of_an_attempt() {
    var lease = UUID.randomUUID();
    var attempt = running(deliveries.onlyRun(repository), lease);
    assertTrue(results.write(rules.of(attempt, new Outcome.Succeeded(200))));
    assertFalse(results.write(rules.overdue(attempt)));
    assertFalse(results.write(rules.of(attempt, new Outcome.Succeeded(200))));
    run().body("status", is("succeeded"));
    assertEquals(List.of(), queue.renew(List.of(attempt), lease).stream().toList());
  }

  private RunningAttempt running(UUID id, UUID lease) {
    database.update(
        """
        with r as (
          update action_run set status = 'running', attempt_count = 1, lease = ?, due_at = now()
          where id = ? returning repo_id, id)
        insert into action_attempt (repo_id, run_id, attempt, status, executor_kind, started_at)
        select repo_id, id, 1, 'started', 'webhook', now() from r
        """,
        lease,
        id);
    return new RunningAttempt(Api.repoId(repository), id, 1, 7, lease);
  }

  /** As it is while its repository is deleted. */
  @Test
  void a_run_that_is_locked_holds_up_neither_the_leases_nor_the_results_of_others()
      throws Exception {
    Prepared.commit(repository, "{'operation':'add','name':'Sensor/b','data':{}}");
    var lease = UUID.randomUUID();
    var attempts =
        database
            .list(
                "select id from action_run where repo_id = ?",
                row -> row.getObject(1, UUID.class),
                Api.repoId(repository))
            .stream()
            .map(id -> running(id, lease))
            .toList();
    var locked = attempts.getFirst();
    var other = attempts.getLast();
    try (var connection = OwnConnections.dataSource().getConnection();
        var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      connection.setAutoCommit(false);
      OwnConnections.execute(
          connection, "select from action_run where id = ? for update", locked.runId());
      long start = System.nanoTime();
      assertEquals(Set.of(locked.runId(), other.runId()), queue.renew(attempts, lease));
      assertEquals(
          Set.of(other.runId()),
          results.write(
              attempts.stream()
                  .map(attempt -> rules.of(attempt, new Outcome.Succeeded(200)))
                  .toList()));
      long millis = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - start);
      assertTrue(millis < 3_000, millis + " ms");
      var late = threads.submit(() -> results.write(rules.of(locked, new Outcome.Succeeded(200))));
      Waiting.awaitWaiter(connection);
      connection.rollback();
      assertTrue(late.get());
    }
    assertEquals(Set.of(), queue.renew(attempts, lease));
  }

  @Test
  void an_attempt_that_is_given_back_does_not_count_against_the_run() {
    var id = deliveries.onlyRun(repository);
    var lease = UUID.randomUUID();
    database.update(
        """
        update action_run set status = 'running', attempt_count = 7, lease = ?, due_at = now()
        where id = ?
        """,
        lease,
        id);
    var attempt = new RunningAttempt(Api.repoId(repository), id, 7, 7, lease);
    assertTrue(results.write(rules.givenBack(attempt)));
    run().body("status", is("retry_wait")).body("maxAttempts", is(8));
    assertEquals(Duration.ZERO, rules.givenBack(attempt).delay());
  }

  @Test
  void many_results_at_once_are_all_written() {
    released.countDown();
    for (int i = 0; i < 40; i++) {
      Api.commit(repository, "{'operation':'add','name':'Sensor/m%d','data':{}}".formatted(i));
    }
    assertEquals(41, deliveries.run(repository));
    admin()
        .get(repository + "/actions/runs?status=succeeded&limit=200")
        .then()
        .body("", hasSize(41));
  }

  /** The claim looks into many queues first, and meanwhile the run changes again and again. */
  @Test
  void a_run_that_changes_while_it_is_claimed_stays_due_and_is_claimed_next() throws Exception {
    released.countDown();
    var repoId = Api.repoId(repository);
    var id = deliveries.onlyRun(repository);
    var target =
        database.first("select target from action_run where id = ?", r -> r.getString(1), id);
    var grants = new ArrayList<Slots.Grant>();
    for (int i = 0; i < 200_000; i++) {
      grants.add(grant(new WorkTarget(repoId, repoId, "nothing#" + i, "webhook")));
    }
    grants.add(grant(new WorkTarget(repoId, repoId, target.orElseThrow(), "webhook")));
    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      var claim = threads.submit(() -> queue.claim(grants, UUID.randomUUID()));
      while (!claim.isDone()) {
        database.update("update action_run set updated_at = now() where id = ?", id);
      }
      assertEquals(List.of(), claim.get());
    }
    run().body("status", is("pending")).body("attemptCount", is(0));
    deliveries.run(repository);
    run().body("status", is("succeeded")).body("attemptCount", is(1));
  }

  private static Slots.Grant grant(WorkTarget target) {
    return new Slots.Grant(TargetQueue.of(target), Collections.nCopies(1, null));
  }
}
