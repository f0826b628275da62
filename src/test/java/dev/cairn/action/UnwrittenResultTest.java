package dev.cairn.action;

import static org.hamcrest.Matchers.is;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.cairn.Api;
import dev.cairn.HttpTest;
import dev.cairn.InProcess;
import dev.cairn.platform.CairnConfig;
import dev.cairn.subscription.AutomaticPauses;
import dev.cairn.work.ActiveAttempt;
import dev.cairn.work.Worker;
import io.agroal.api.AgroalDataSource;
import io.quarkus.test.junit.QuarkusTest;
import jakarta.inject.Inject;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Actions, Workers: the database is away when attempts end. */
@HttpTest
@QuarkusTest
@InProcess("It has a worker of its own.")
class UnwrittenResultTest extends OneHook {
  private static final Duration LONG = Duration.ofSeconds(30);

  @Inject AgroalDataSource pool;
  @Inject CairnConfig config;
  @Inject RunQueue queue;
  @Inject ReadyQueues ready;
  @Inject AttemptResults results;
  @Inject AttemptResultRules rules;
  @Inject Execution execution;
  @Inject CircuitBreaker circuits;
  @Inject AutomaticPauses pauses;

  private final CountDownLatch released = new CountDownLatch(1);
  private final CountDownLatch arrived = new CountDownLatch(2);
  private Connection operator;
  private Worker<RunAttempt, Outcome> worker;

  @BeforeEach
  void hang() throws SQLException {
    var at = config.database();
    operator =
        DriverManager.getConnection(
            at.url().orElseThrow(), at.user().orElseThrow(), at.password().orElseThrow());
    // One of its own, which can be stopped.
    worker =
        new Worker<>(
            new RunKind(
                database,
                queue,
                ready,
                execution,
                rules,
                results,
                circuits,
                pauses,
                config,
                Duration.ofSeconds(30)));
    receiver.answering(
        _ -> {
          arrived.countDown();
          released.await(30, TimeUnit.SECONDS);
          return Receiver.status(200);
        });
  }

  @AfterEach
  void bringBack() throws SQLException {
    released.countDown();
    back();
    operator.close();
  }

  /** Nobody but the operator has a connection any more, and nobody gets one. */
  private void takeAway() throws SQLException {
    limitConnections(0);
    operate(
        """
        select pg_terminate_backend(pid) from pg_stat_activity
        where datname = current_database() and pid <> pg_backend_pid()
          and backend_type = 'client backend'
        """);
    assertThrows(RuntimeException.class, () -> deliveries.value("select 'there'"));
  }

  /** The pool gives up those that were ended, a moment later; each would fail once. */
  private void back() throws SQLException {
    limitConnections(-1);
    pool.flush(AgroalDataSource.FlushMode.ALL);
    for (int tries = 1; !isThere(); tries++) {
      assertTrue(tries < 100, "the database does not come back");
    }
  }

  private boolean isThere() {
    try {
      return deliveries.value("select 'there'").equals("there");
    } catch (RuntimeException e) {
      return false;
    }
  }

  private void limitConnections(int most) throws SQLException {
    operate(
        """
        do $$ begin
          execute format('alter database %%I connection limit %d', current_database());
        end $$
        """
            .formatted(most));
  }

  private void operate(String sql) throws SQLException {
    try (var statement = operator.createStatement()) {
      statement.execute(sql);
    }
  }

  /** Two attempts, of which each ends while the database is away. */
  private List<ActiveAttempt<RunAttempt, Outcome>> endWithoutDatabase() throws Exception {
    commit();
    commit();
    var begun = worker.claim(Optional.of(Set.of(Api.repoId(repository))));
    assertEquals(2, begun.size());
    assertTrue(arrived.await(20, TimeUnit.SECONDS));
    takeAway();
    released.countDown();
    for (var attempt : begun) {
      assertTrue(attempt.thread().join(LONG), "a thread waits for the database");
    }
    assertTrue(begun.stream().noneMatch(ActiveAttempt::isOver));
    return begun;
  }

  @Test
  void a_result_that_cannot_be_written_waits_for_the_next_poll_and_keeps_no_thread()
      throws Exception {
    var begun = endWithoutDatabase();
    worker.writeResults();
    assertTrue(begun.stream().noneMatch(ActiveAttempt::isOver), "nothing can be written yet");
    back();
    runs().body("status", is(List.of("running", "running")));
    worker.renew();
    worker.writeResults();
    assertTrue(begun.stream().allMatch(ActiveAttempt::isOver));
    runs()
        .body("status", is(List.of("succeeded", "succeeded")))
        .body("attemptCount", is(List.of(1, 1)));
    assertEquals(2, receiver.calls().size());
  }

  @Test
  void a_failure_that_is_written_at_the_second_try_counts_once() throws Exception {
    receiver.answering(500);
    commit();
    database.update("alter table action_attempt rename column http_status to away");
    ActiveAttempt<RunAttempt, Outcome> attempt;
    try {
      attempt = worker.claim(Optional.of(Set.of(Api.repoId(repository)))).getFirst();
      assertTrue(attempt.thread().join(LONG));
    } finally {
      database.update("alter table action_attempt rename column away to http_status");
    }
    assertFalse(attempt.isOver());
    worker.writeResults();
    assertTrue(attempt.isOver());
    assertEquals(
        "1",
        deliveries.value(
            "select failures from delivery_target where repo_id = ?", Api.repoId(repository)));
  }

  @Test
  void a_busy_repository_does_not_hold_back_others() throws Exception {
    receiver.answering(410);
    var busy = repository;
    commit();
    commit();
    repository = Api.newRepository("private");
    Api.commit(repository, "{'operation':'add','name':'Sensor','data':{'fields':{}}}");
    deliveries.webhook(repository, "hook", "Sensor", receiver.url("/hook"));
    commit();
    List<ActiveAttempt<RunAttempt, Outcome>> ends;
    try (var first = lockSubscriptions(busy)) {
      List<ActiveAttempt<RunAttempt, Outcome>> other;
      try (var second = lockSubscriptions(repository)) {
        ends = ended(busy);
        other = ended(repository);
        second.rollback();
      }
      worker.writeResults();
      assertTrue(ends.stream().noneMatch(ActiveAttempt::isOver), "it was not busy");
      assertTrue(other.getFirst().isOver(), "another repository was in the way");
      first.rollback();
    }
    worker.writeResults();
    assertTrue(ends.stream().allMatch(ActiveAttempt::isOver));
  }

  private Connection lockSubscriptions(String locked) throws SQLException {
    var connection = pool.getConnection();
    connection.setAutoCommit(false);
    try (var statement =
        connection.prepareStatement("select from subscription where repo_id = ? for update")) {
      statement.setObject(1, Api.repoId(locked));
      statement.execute();
    }
    return connection;
  }

  /** Attempts of a repository whose ends could not be written. */
  private List<ActiveAttempt<RunAttempt, Outcome>> ended(String of) throws InterruptedException {
    var begun = worker.claim(Optional.of(Set.of(Api.repoId(of))));
    for (var attempt : begun) {
      assertTrue(attempt.thread().join(LONG));
      assertFalse(attempt.isOver());
    }
    return begun;
  }

  @Test
  void the_lease_of_an_unwritten_result_is_renewed_and_a_lost_run_is_left_alone() throws Exception {
    var begun = endWithoutDatabase();
    back();
    database.update(
        "update action_run set due_at = now() where repo_id = ?", Api.repoId(repository));
    var lost = begun.getFirst();
    database.update(
        "update action_run set lease = ? where id = ?", UUID.randomUUID(), lost.item().id());
    worker.renew();
    assertEquals(
        "1",
        deliveries.value(
            """
            select count(*) from action_run
            where repo_id = ? and due_at > now() + interval '20 seconds'
            """,
            Api.repoId(repository)));
    worker.writeResults();
    assertTrue(begun.stream().allMatch(ActiveAttempt::isOver));
    assertEquals(
        "running",
        deliveries.value("select status from action_run where id = ?", lost.item().id()));
  }

  @Test
  void a_worker_that_stops_waits_until_the_results_are_written() throws Exception {
    var begun = endWithoutDatabase();
    var stopped = Deliveries.stop(worker);
    assertEquals(2, worker.awaitOne(begun, Duration.ofMillis(100)).size());
    assertFalse(stopped.isDone());
    back();
    stopped.get(30, TimeUnit.SECONDS);
    runs().body("status", is(List.of("succeeded", "succeeded")));
  }
}
