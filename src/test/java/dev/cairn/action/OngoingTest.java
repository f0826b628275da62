package dev.cairn.action;

import static org.hamcrest.Matchers.contains;
import static org.hamcrest.Matchers.is;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.management.HotSpotDiagnosticMXBean;
import dev.cairn.Api;
import dev.cairn.Eventually;
import dev.cairn.HttpTest;
import dev.cairn.InProcess;
import dev.cairn.work.ActiveAttempt;
import dev.cairn.work.Workers;
import io.quarkus.test.junit.QuarkusTest;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Actions, Workers: attempts whose command runs elsewhere. */
@HttpTest
@QuarkusTest
@InProcess("It has a worker of its own.")
class OngoingTest extends RunningElsewhere {
  @TempDir Path files;

  private boolean hasThread(ActiveAttempt<RunAttempt, Outcome> attempt) throws Exception {
    var dump = files.resolve(UUID.randomUUID() + ".json");
    ManagementFactory.getPlatformMXBean(HotSpotDiagnosticMXBean.class)
        .dumpThreads(dump.toString(), HotSpotDiagnosticMXBean.ThreadDumpFormat.JSON);
    return Files.readString(dump).contains("\"run " + attempt.item().id() + "\"");
  }

  @Test
  void an_attempt_has_a_thread_while_it_looks_and_none_while_its_command_runs() throws Exception {
    var attempt = begin();
    assertFalse(hasThread(attempt));
    service.hold();
    pollUntil("look 1 at the command", () -> service.count("GET") == 1);
    assertTrue(hasThread(attempt));
    service.release();
    rest(attempt);
    assertFalse(hasThread(attempt));
    run().body("status", is("running")).body("attemptCount", is(1));
    service.end(0, "");
    pollUntilOver(attempt);
    run().body("status", is("succeeded")).body("attemptCount", is(1));
    assertFalse(service.requests.contains("DELETE"), "it has ended by itself");
  }

  @Test
  void its_lease_is_renewed_beyond_its_length_and_it_keeps_its_place() throws Exception {
    var attempt = begin();
    for (int i = 0; i < 2; i++) {
      database.update(
          "update action_run set due_at = now() where repo_id = ?", Api.repoId(repository));
      worker.renew();
      kind.rescue();
      run().body("status", is("running"));
    }
    // A container has an eighth of the 8 sprites.
    Api.commit(repository, "{'operation':'add','name':'Note/second','data':{}}").statusCode(201);
    assertEquals(List.of(), worker.claim(Optional.of(Set.of(Api.repoId(repository)))));
    service.end(0, "");
    pollUntilOver(attempt);
    pollUntilOver(begin());
  }

  @Test
  void no_two_threads_look_at_the_same_time() throws Exception {
    var attempt = begin();
    service.hold();
    pollUntil("look 1 at the command", () -> service.count("GET") == 1);
    var looking = attempt.thread();
    for (int i = 0; i < 3; i++) {
      worker.pollOngoing();
      assertEquals(looking, attempt.thread());
    }
    service.release();
    rest(attempt);
    worker.pollOngoing();
    assertEquals(looking, attempt.thread(), "it is left alone for a moment");
    pollUntil("it is looked at again", () -> attempt.thread() != looking);
    service.end(0, "");
    pollUntilOver(attempt);
  }

  @Test
  void looks_that_fail_in_between_do_not_end_it() throws Exception {
    var attempt = begin();
    service.trouble(2);
    pollUntil("look 3 at the command", () -> service.count("GET") == 3);
    rest(attempt);
    service.trouble(2);
    pollUntil("look 5 at the command", () -> service.count("GET") == 5);
    service.end(0, "");
    pollUntilOver(attempt);
    run().body("status", is("succeeded"));
  }

  @Test
  void three_looks_in_a_row_that_fail_end_it_and_its_command() throws Exception {
    var attempt = begin();
    service.trouble(3);
    pollUntilOver(attempt);
    run().body("status", is("retry_wait")).body("lastErrorCode", is("SPRITE_EXEC_HTTP_ERROR"));
    attempts().body("httpStatus", contains(503));
    assertEquals(List.of("PUT", "GET", "GET", "GET", "DELETE"), service.requests);
  }

  @Test
  void the_end_of_a_command_is_told_with_the_end_of_its_output() throws Exception {
    var attempt = begin();
    service.end(3, "no water");
    pollUntilOver(attempt);
    attempts()
        .body("errorCode", contains("SPRITE_EXIT_NONZERO"))
        .body("errorMessage", contains("The command ended with status 3.\nno water"));
  }

  @Test
  void a_tick_carries_it_to_its_end() throws Exception {
    // What other tests have left is not carried out.
    database.update("delete from action_run where repo_id <> ?", Api.repoId(repository));
    database.update(
        "update subscription set active = false where repo_id <> ?", Api.repoId(repository));
    var ended = new CompletableFuture<Void>();
    Thread.ofVirtual()
        .start(
            () -> {
              try {
                Eventually.await("look 2 at the command", () -> service.count("GET") == 2);
                service.end(0, "");
                ended.complete(null);
              } catch (Throwable e) {
                ended.completeExceptionally(e);
              }
            });
    var drain = new Drain(worker, ticks, kind, inbox, queue, recovery, chores);
    assertEquals(1, drain.run(LONG).runsExecuted());
    ended.get(LONG.toSeconds(), TimeUnit.SECONDS);
    run().body("status", is("succeeded"));
  }

  @Test
  void a_poll_looks_also_where_only_a_tick_began_it() throws Exception {
    var attempt = begin();
    service.end(0, "");
    var workers = new Workers(List.of(worker), List.of(), config, database);
    Eventually.await(
        "the attempt ends",
        () -> {
          workers.poll();
          return isOver(attempt);
        });
    run().body("status", is("succeeded"));
  }

  @Test
  void the_whole_attempt_is_timed() throws Exception {
    var attempt = begin();
    long began = System.nanoTime();
    rest(attempt);
    pollUntil("look 1 at the command", () -> service.count("GET") == 1);
    long lasted = System.nanoTime() - began;
    service.end(0, "");
    pollUntilOver(attempt);
    for (var name : List.of("cairn.attempts", "cairn.sprite.runs")) {
      var timer = counted(name, "succeeded");
      assertEquals(1, timer.count());
      assertTrue(timer.totalTime(TimeUnit.NANOSECONDS) >= lasted, name);
    }
  }
}
