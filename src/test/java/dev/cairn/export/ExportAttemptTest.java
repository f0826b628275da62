package dev.cairn.export;

import static dev.cairn.Api.anonymous;
import static dev.cairn.export.Exports.built;
import static dev.cairn.export.Exports.link;
import static dev.cairn.export.Exports.progress;
import static dev.cairn.export.Exports.stream;
import static dev.cairn.export.Exports.text;
import static dev.cairn.export.JobRows.hash;
import static dev.cairn.export.JobRows.largeRepository;
import static dev.cairn.export.JobRows.repository;
import static org.hamcrest.Matchers.is;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.cairn.Eventually;
import dev.cairn.HttpTest;
import dev.cairn.InProcess;
import dev.cairn.platform.CairnConfig;
import dev.cairn.platform.database.Database;
import dev.cairn.platform.database.OwnConnections;
import dev.cairn.work.Worker;
import io.quarkus.test.junit.QuarkusTest;
import jakarta.inject.Inject;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import javax.sql.DataSource;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** docs/export.md, Jobs: what ends an attempt, and what then becomes of the job. */
@HttpTest
@QuarkusTest
@InProcess("It steps the worker of exports.")
class ExportAttemptTest {
  @Inject Database database;
  @Inject Worker<ExportAttempt, BuildResult> worker;
  @Inject ExportKind kind;
  @Inject ExportQueue queue;
  @Inject ExportQueries queries;
  @Inject ExportMetrics exportMetrics;
  @Inject ExportBytes bytes;
  @Inject ExportExpiry expiry;
  @Inject CairnConfig config;
  @Inject DataSource dataSource;

  private JobRows jobs;

  @BeforeEach
  void rows() {
    jobs = new JobRows(database);
  }

  /** What {@code Workers} does on schedule. */
  private void poll() {
    worker.renew();
    kind.rescue();
    worker.wakeAll();
  }

  @Test
  void a_job_whose_worker_died_is_built_again_and_nothing_of_the_dead_attempt_is_kept() {
    var repository = largeRepository();
    var token = jobs.mintWaiting(repository);
    var id = jobs.column(token, "id", UUID.class);
    // What an attempt left that was killed in the middle.
    database.update("update export_chunk set bytes = 'of the dead' where job_id = ?", id);
    database.update("delete from export_chunk where job_id = ? and start_at = 0", id);
    jobs.set(token, "due_at = now() - interval '1 second'");
    poll();
    var content = text(anonymous().get(link(repository, token)));
    assertEquals(stream(repository), content);
    assertEquals(2, jobs.column(token, "attempt", Integer.class));
    assertEquals(List.of(2, 2, 2), jobs.chunks(id));
  }

  @Test
  void an_attempt_that_lost_its_job_writes_nothing_and_ends() {
    var repository = repository();
    var token = jobs.mintWaiting(repository);
    var id = jobs.column(token, "id", UUID.class);
    var repoId = jobs.column(token, "repo_id", UUID.class);
    var mine = new Chunks(database, repoId, id, 1, _ -> {}, () -> {});
    mine.write(new byte[10], 0, 10);
    jobs.set(token, "attempt = 2");
    assertThrows(Chunks.LostException.class, mine::close);
    var cancelled = new Chunks(database, repoId, id, 2, _ -> {}, () -> {});
    Thread.currentThread().interrupt();
    assertThrows(Chunks.LostException.class, () -> cancelled.write(new byte[10], 0, 10));
    assertTrue(Thread.interrupted());
    var late = new Chunks(database, repoId, id, 2, _ -> {}, () -> {});
    late.write(new byte[10], 0, 10);
    jobs.set(token, "due_at = now()");
    database.update("update export_job set attempt = 5 where token_hash = ?", hash(token));
    assertThrows(Chunks.LostException.class, late::close);
    assertEquals(List.of(1), jobs.chunks(id));
  }

  @Test
  void a_job_that_fails_five_times_is_given_up_and_says_so() {
    var repository = repository();
    var token = jobs.mintWaiting(repository);
    // A moment that there is not: no attempt can succeed.
    jobs.set(token, "at_seq = 99, attempt = 4, due_at = now()");
    worker.wakeAll();
    awaitDue(token);
    assertEquals(5, jobs.column(token, "attempt", Integer.class));
    progress(repository, token).then().statusCode(202);
    jobs.set(token, "due_at = now()");
    poll();
    progress(repository, token)
        .then()
        .statusCode(409)
        .body("code", is("CONFLICT"))
        .body("details.reason", is("export_failed"));
  }

  @Test
  void a_job_whose_attempt_ended_with_the_process_is_repeated_once() throws Exception {
    var repository = repository();
    var token = jobs.mintWaiting(repository);
    jobs.set(token, "attempt = 0, due_at = now()");
    try (var connection = dataSource.getConnection()) {
      keepBuilding(connection);
      worker.wakeAll();
      awaitAttempt(token, 1);
      lose(token);
      poll();
      awaitAttempt(token, 2);
      progress(repository, token).then().statusCode(202);
      lose(token);
      poll();
      connection.rollback();
    }
    progress(repository, token).then().statusCode(409).body("details.reason", is("export_failed"));
    assertEquals(2, jobs.column(token, "attempt", Integer.class));
  }

  /** Lets no attempt end: it is what each reads first. */
  private static void keepBuilding(Connection connection) throws SQLException {
    connection.setAutoCommit(false);
    OwnConnections.execute(connection, "lock table reference in access exclusive mode");
  }

  @Test
  void the_account_for_which_the_fewest_exports_are_built_comes_first() throws Exception {
    var repository = repository();
    var busy = UUID.randomUUID();
    jobs.insert(repository, busy, "1 hour"); // another replica builds it
    var older = jobs.insert(repository, busy, "-2 years");
    var next = UUID.randomUUID();
    var newer = jobs.insert(repository, next, "-1 year");
    assertEquals(List.of(next, busy), queue.ready(List.of(), 2));
    assertEquals(List.of(busy), queue.ready(List.of(next), 2));
    worker.wakeAll();
    built(repository, older).then().statusCode(200);
    built(repository, newer).then().statusCode(200);
  }

  @Test
  void an_account_has_at_most_half_of_the_slots_of_a_replica() throws Exception {
    var repository = repository();
    var busy = UUID.randomUUID();
    var first = jobs.insert(repository, busy, "-3 years");
    var second = jobs.insert(repository, busy, "-2 years");
    try (var connection = dataSource.getConnection()) {
      keepBuilding(connection);
      worker.wakeAll();
      awaitAttempt(first, 1);
      worker.wakeAll();
      var other = jobs.insert(repository, UUID.randomUUID(), "-1 year");
      worker.wakeAll();
      awaitAttempt(other, 1);
      assertEquals(0, jobs.column(second, "attempt", Integer.class));
      connection.rollback();
    }
    built(repository, second).then().statusCode(200);
  }

  /** As if the process of the worker had ended, and its lease with it. */
  private void lose(String token) {
    jobs.set(token, "due_at = now() - interval '1 second'");
  }

  /** A worker of its own, which the test may stop; it is stopped in the middle of an attempt. */
  @Test
  void an_attempt_that_the_end_of_the_service_cuts_short_is_not_counted() throws Exception {
    var repository = repository();
    var token = jobs.mintWaiting(repository);
    var id = jobs.column(token, "id", UUID.class);
    var stopped =
        new Worker<>(
            new ExportKind(database, queue, queries, exportMetrics, bytes, expiry, config));
    try (var connection = dataSource.getConnection()) {
      // The next attempt begins with deleting what the one before left, and has to wait for this.
      connection.setAutoCommit(false);
      OwnConnections.execute(
          connection, "select from export_chunk where job_id = ? for update", id);
      jobs.set(token, "attempt = 4, due_at = now()");
      stopped.claim(Optional.empty());
      awaitAttempt(token, 5);
      var stop = Thread.startVirtualThread(() -> stop(stopped));
      Eventually.await(
          "the worker waits for its attempt",
          () -> !stop.isAlive() || stop.getState() == Thread.State.TIMED_WAITING);
      connection.rollback();
      stop.join();
    }
    progress(repository, token).then().statusCode(202);
    assertEquals(5, jobs.column(token, "attempt", Integer.class));
    poll();
    built(repository, token).then().statusCode(200).body("recordCount", is(2));
    assertEquals(6, jobs.column(token, "attempt", Integer.class));
  }

  private static void stop(Worker<?, ?> worker) {
    try {
      worker.stop();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  private void awaitAttempt(String token, int attempt) {
    Eventually.await(
        "a worker takes it", () -> jobs.column(token, "attempt", Integer.class) == attempt);
  }

  /** Waits until the failed attempt has set a pause, which is shorter than a lease. */
  private void awaitDue(String token) {
    Eventually.await(
        "the attempt ends",
        () ->
            database
                .first(
                    """
                    select attempt = 5 and due_at < now() + interval '51 seconds'
                    from export_job where token_hash = ?
                    """,
                    row -> row.getBoolean(1),
                    hash(token))
                .orElseThrow());
  }
}
