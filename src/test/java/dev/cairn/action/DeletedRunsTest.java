package dev.cairn.action;

import static dev.cairn.Api.admin;
import static dev.cairn.Api.anonymous;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.cairn.Api;
import dev.cairn.HttpTest;
import dev.cairn.InProcess;
import dev.cairn.access.limit.StoredBytes;
import dev.cairn.platform.database.Database;
import dev.cairn.work.Chore;
import dev.cairn.work.CountedQueue;
import dev.cairn.work.QueueMetrics;
import dev.cairn.work.Slots;
import io.quarkus.arc.All;
import io.quarkus.test.junit.QuarkusTest;
import jakarta.inject.Inject;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Operation, Chores: the runs of a deleted repository are deleted in batches. */
@HttpTest
@QuarkusTest
@InProcess("It runs the chore step by step.")
class DeletedRunsTest extends OneHook {
  private static final int RUNS = 2_500;

  @Inject @All List<Chore> chores;
  @Inject Database service;
  @Inject StoredBytes storedBytes;
  @Inject ReadyQueues queues;
  @Inject RunQueue runs;
  @Inject QueueMetrics counted;
  @Inject Recovery recovery;
  @Inject Inputs inputs;
  @Inject CallbackTokens tokens;

  private Chore chore;
  private UUID repoId;
  private UUID orgId;

  @BeforeEach
  void repository() {
    chore =
        chores.stream()
            .filter(each -> each.name().equals("deleted repositories"))
            .findFirst()
            .orElseThrow();
    runToEnd();
    repoId = Api.repoId(repository);
    orgId = Api.orgId(repoId);
  }

  private void runToEnd() {
    boolean more;
    do {
      more = chore.runBatch();
    } while (more);
  }

  private long count(String table) {
    return service
        .first(
            "select count(*) from " + table + " where repo_id = ?", row -> row.getLong(1), repoId)
        .orElseThrow();
  }

  private void insertRuns(int runs) {
    service.update(
        """
        with made as (
          insert into action_run (repo_id, id, subscription_id, subscription_name, commit_id,
                                  matched, envelope, executor_kind, target, trace_id, depth, status,
                                  max_attempts, due_at, created_at, updated_at)
          select ?, next_id(), ?, 'hook', left(encode(sha256(next_id()::text::bytea), 'hex'), 16),
                 '{}', '{}', 'webhook', 'http://127.0.0.1:9', next_id(), 1, 'retry_wait', 7, now(),
                 now(), now()
          from generate_series(1, ?)
          returning repo_id, id),
        attempted as (
          insert into action_attempt (repo_id, run_id, attempt, status, executor_kind, started_at)
          select repo_id, id, 1, 'failed', 'webhook', now() from made)
        insert into action_notification (repo_id, id, run_id, subscription_name, commit_id, attempt,
                                         channel, status, outcome, created_at)
        select repo_id, next_id(), id, 'hook', '', 1, 'inbox', 'delivered', 'failed', now() from made
        """,
        repoId,
        subscription,
        runs);
    service.update(
        """
        insert into matched_operation (repo_id, seq, op_index, body)
        select ?, 1000 + i, 0, '' from generate_series(1, ?) i
        """,
        repoId,
        runs);
  }

  private long inQueues() {
    return counted.counts().stream()
        .filter(count -> count.queue().equals("webhook"))
        .mapToLong(CountedQueue.Count::depth)
        .sum();
  }

  private void delete() {
    admin().delete(repository).then().statusCode(200);
  }

  @Test
  void the_first_runs_go_with_their_repository_and_the_others_in_batches_that_nobody_sees() {
    // Runs of other tests become due meanwhile.
    var due = runs.outlook().due();
    var inQueues = inQueues();
    insertRuns(RUNS);
    assertTrue(runs.outlook().due() >= due + RUNS);
    assertTrue(inQueues() >= inQueues + RUNS);
    StoredBytes.count(service, Map.of(repoId, 1_000_000L));
    long used = storedBytes.used(orgId);
    delete();
    assertTrue(runs.outlook().due() < due + RUNS / 4);
    assertTrue(inQueues() < inQueues + RUNS / 4);
    assertEquals(RUNS - 1_000, count("action_run"));
    assertEquals(RUNS - 1_000, count("matched_operation"));
    // They are invisible, and nothing begins them or ends them one by one.
    admin().get(repository + "/actions/runs").then().statusCode(404);
    var run =
        service
            .first(
                "select id from action_run where repo_id = ? limit 1",
                row -> row.getObject(1, UUID.class),
                repoId)
            .orElseThrow();
    var token = tokens.of(run, new CallbackTokens.Validity(0, 0));
    anonymous()
        .body(Map.of("status", "succeeded"))
        .post("/api/action-runs/" + run + "/callback?token=" + token)
        .then()
        .statusCode(404);
    var full = new Slots.Full(Set.of(), Set.of());
    assertEquals(List.of(), queues.find(Optional.of(Set.of(repoId)), full, 10));
    recovery.endOrphans();
    assertEquals(0, count("(select * from action_run where ended_at is not null) r"));
    // What is left still counts, and an interrupted chore goes on.
    assertTrue(storedBytes.used(orgId) > used - 100_000, "it counts no more");
    assertTrue(chore.runBatch());
    assertEquals(RUNS - 2_000, count("action_run"));
    assertTrue(storedBytes.used(orgId) > used - 100_000, "it counts no more");
    runToEnd();
    for (var table :
        List.of("action_run", "action_attempt", "action_notification", "matched_operation")) {
      assertEquals(0, count(table), table);
    }
    assertTrue(storedBytes.used(orgId) < used - 1_000_000, "it still counts");
  }

  @Test
  void the_chore_becomes_due_by_the_deletion_of_a_large_repository_alone() {
    var name = chore.name();
    service.update(
        "insert into chore values (?, now() + interval '1 h')"
            + " on conflict (name) do update set due_at = excluded.due_at",
        name);
    delete();
    assertFalse(isDue(name));
    repository = Api.newRepository("private");
    repoId = Api.repoId(repository);
    insertRuns(RUNS);
    delete();
    assertTrue(isDue(name));
    runToEnd();
  }

  private boolean isDue(String chore) {
    return service
        .first("select due_at <= now() from chore where name = ?", row -> row.getBoolean(1), chore)
        .orElseThrow();
  }

  @Test
  void runs_that_are_added_after_the_deletion_are_found_an_hour_later() {
    delete();
    runToEnd();
    insertRuns(3);
    runToEnd();
    assertEquals(3, count("action_run"));
    assertEquals(1, count("deleted_repository"));
    service.update("update deleted_repository set due_at = now() where repo_id = ?", repoId);
    runToEnd();
    assertEquals(0, count("action_run"));
    assertEquals(0, count("deleted_repository"));
  }

  @Test
  void matched_operations_that_are_left_are_not_sent() throws Exception {
    commit();
    var begun = deliveries.begin(repository);
    deliveries.await(begun);
    var run = begun.getFirst().item().run();
    assertTrue(inputs.of(run).isPresent());
    delete();
    service.update(
        "insert into matched_operation (repo_id, seq, op_index, body) values (?, ?, 0, '{}')",
        repoId,
        run.sourceSeq());
    assertTrue(inputs.of(run).isEmpty());
  }
}
