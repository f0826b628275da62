package dev.cairn.action;

import static dev.cairn.Api.admin;
import static org.hamcrest.Matchers.contains;
import static org.hamcrest.Matchers.is;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.management.HotSpotDiagnosticMXBean;
import dev.cairn.Api;
import dev.cairn.HttpTest;
import dev.cairn.InProcess;
import dev.cairn.access.ServiceTokens;
import dev.cairn.platform.CairnConfig;
import dev.cairn.platform.Chores;
import dev.cairn.platform.Database;
import dev.cairn.sprite.Elsewhere;
import dev.cairn.subscription.CredentialSets;
import dev.cairn.subscription.Subscriptions;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.quarkus.runtime.ShutdownEvent;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.response.ValidatableResponse;
import jakarta.inject.Inject;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Actions, Workers: attempts whose command runs elsewhere. */
@HttpTest
@QuarkusTest
@InProcess("It has a worker of its own.")
class OngoingTest {
  private static final Duration LONG = Duration.ofSeconds(30);

  @Inject Database database;
  @Inject CairnConfig config;
  @Inject RunQueue queue;
  @Inject Settlements settlements;
  @Inject Settler settler;
  @Inject Inputs inputs;
  @Inject Subscriptions subscriptions;
  @Inject CircuitBreaker circuits;
  @Inject ServiceTokens tokens;
  @Inject CredentialSets credentials;
  @Inject CronTicks ticks;
  @Inject Recovery recovery;
  @Inject Chores chores;
  @Inject Wakes wakes;
  @Inject AttemptSpans spans;

  @TempDir Path files;

  private final Deliveries deliveries = new Deliveries();
  private final MeterRegistry metrics = new SimpleMeterRegistry();
  private Elsewhere service;
  private Worker worker;
  private String repository;

  @BeforeEach
  void subscribe() throws Exception {
    service = new Elsewhere();
    worker = worker(LONG);
    repository = Api.newRepository("private");
    Api.commit(repository, "{'operation':'add','name':'Note','data':{'fields':{}}}")
        .statusCode(201);
    admin()
        .body(
            """
            {"name":"sprite","kind":"sprite","shapeName":"Note","filterJson":{},
             "spriteConfig":{"command":"true","inputMode":"stdin"}}
            """)
        .post(repository + "/subs")
        .then()
        .statusCode(201);
    Api.commit(repository, "{'operation':'add','name':'Note/first','data':{}}").statusCode(201);
  }

  @AfterEach
  void close() {
    service.close();
  }

  /** One of its own, whose sprites run elsewhere. */
  private Worker worker(Duration mostToStop) {
    return worker(mostToStop, service.executor(database, tokens, credentials, metrics));
  }

  private Worker worker(Duration mostToStop, Executor executor) {
    var execution =
        new Execution(
            List.of(executor),
            inputs,
            settler,
            settlements,
            subscriptions,
            circuits,
            new ActionMetrics(metrics, database),
            spans);
    return new Worker(
        database,
        queue,
        settlements,
        settler,
        execution,
        new Wakes(),
        config,
        mostToStop,
        new SimpleMeterRegistry());
  }

  /** The attempt, when its command has begun and its thread has left it. */
  private InFlight begin() throws InterruptedException {
    var begun = worker.claim(Optional.of(Set.of(Api.repoId(repository))));
    assertEquals(1, begun.size());
    rest(begun.getFirst());
    return begun.getFirst();
  }

  private static void rest(InFlight attempt) throws InterruptedException {
    assertTrue(attempt.thread.join(LONG), "a thread waits for the command");
  }

  private static void until(BooleanSupplier condition) throws InterruptedException {
    long most = System.nanoTime() + LONG.toNanos();
    while (!condition.getAsBoolean()) {
      assertTrue(System.nanoTime() < most, "it does not come about");
      Thread.sleep(10);
    }
  }

  private void lookUntil(BooleanSupplier condition) throws InterruptedException {
    until(
        () -> {
          worker.look();
          return condition.getAsBoolean();
        });
  }

  /** Looks until the attempt has ended. */
  private void lookUntilOver(InFlight attempt) throws InterruptedException {
    lookUntil(() -> isOver(attempt));
  }

  private boolean isOver(InFlight attempt) {
    try {
      return worker.awaitOne(List.of(attempt), Duration.ZERO).isEmpty();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  private ValidatableResponse run() {
    return admin()
        .get(repository + "/actions/runs")
        .then()
        .statusCode(200)
        .body("size()", is(1))
        .rootPath("[0]");
  }

  private ValidatableResponse attempts() {
    return admin()
        .get(repository + "/actions/runs/" + deliveries.onlyRun(repository) + "/attempts")
        .then()
        .statusCode(200);
  }

  private boolean hasThread(InFlight attempt) throws Exception {
    var dump = files.resolve(UUID.randomUUID() + ".json");
    ManagementFactory.getPlatformMXBean(HotSpotDiagnosticMXBean.class)
        .dumpThreads(dump.toString(), HotSpotDiagnosticMXBean.ThreadDumpFormat.JSON);
    return Files.readString(dump).contains("\"run " + attempt.run.running().runId() + "\"");
  }

  @Test
  void an_attempt_has_a_thread_while_it_looks_and_none_while_its_command_runs() throws Exception {
    var attempt = begin();
    assertFalse(hasThread(attempt));
    service.hold();
    lookUntil(() -> service.count("GET") == 1);
    assertTrue(hasThread(attempt));
    service.release();
    rest(attempt);
    assertFalse(hasThread(attempt));
    run().body("status", is("running")).body("attemptCount", is(1));
    service.end(0, "");
    lookUntilOver(attempt);
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
      worker.rescue();
      run().body("status", is("running"));
    }
    // A container has an eighth of the 8 sprites.
    Api.commit(repository, "{'operation':'add','name':'Note/second','data':{}}").statusCode(201);
    assertEquals(List.of(), worker.claim(Optional.of(Set.of(Api.repoId(repository)))));
    service.end(0, "");
    lookUntilOver(attempt);
    lookUntilOver(begin());
  }

  @Test
  void no_two_threads_look_at_the_same_time() throws Exception {
    var attempt = begin();
    service.hold();
    lookUntil(() -> service.count("GET") == 1);
    var looking = attempt.thread;
    for (int i = 0; i < 3; i++) {
      worker.look();
      assertEquals(looking, attempt.thread);
    }
    service.release();
    rest(attempt);
    worker.look();
    assertEquals(looking, attempt.thread, "it is left alone for a moment");
    lookUntil(() -> attempt.thread != looking);
    service.end(0, "");
    lookUntilOver(attempt);
  }

  @Test
  void looks_that_fail_in_between_do_not_end_it() throws Exception {
    var attempt = begin();
    service.trouble(2);
    lookUntil(() -> service.count("GET") == 3);
    rest(attempt);
    service.trouble(2);
    lookUntil(() -> service.count("GET") == 5);
    service.end(0, "");
    lookUntilOver(attempt);
    run().body("status", is("succeeded"));
  }

  @Test
  void three_looks_in_a_row_that_fail_end_it_and_its_command() throws Exception {
    var attempt = begin();
    service.trouble(3);
    lookUntilOver(attempt);
    run().body("status", is("retry_wait")).body("lastErrorCode", is("SPRITE_EXEC_HTTP_ERROR"));
    attempts().body("httpStatus", contains(503));
    assertEquals(List.of("PUT", "GET", "GET", "GET", "DELETE"), service.requests);
  }

  @Test
  void the_end_of_a_command_is_told_with_the_end_of_its_output() throws Exception {
    var attempt = begin();
    service.end(3, "no water");
    lookUntilOver(attempt);
    attempts()
        .body("errorCode", contains("SPRITE_EXIT_NONZERO"))
        .body("errorMessage", contains("The command ended with status 3.\nno water"));
  }

  @Test
  void whoever_stops_ends_the_command_and_gives_the_run_back() throws Exception {
    worker = worker(Duration.ZERO);
    var attempt = begin();
    worker.stop(new ShutdownEvent());
    until(() -> isOver(attempt));
    assertEquals(List.of("PUT", "DELETE"), service.requests);
    run().body("status", is("retry_wait"));
    attempts().body("errorCode", contains("WORKER_STOPPED"));
    assertEquals(1, counted("cairn.sprite.runs", "stopped").count());
  }

  @Test
  void whoever_stops_ends_a_command_that_is_being_looked_at() throws Exception {
    worker = worker(Duration.ZERO);
    var attempt = begin();
    service.hold();
    lookUntil(() -> service.count("GET") == 1);
    worker.stop(new ShutdownEvent());
    until(() -> isOver(attempt));
    assertEquals(List.of("PUT", "GET", "DELETE"), service.requests);
    attempts().body("errorCode", contains("WORKER_STOPPED"));
  }

  @Test
  void whoever_stops_looks_as_long_as_there_is_time() throws Exception {
    var attempt = begin();
    var stopped = new CompletableFuture<Void>();
    Thread.ofVirtual()
        .start(
            () -> {
              try {
                worker.stop(new ShutdownEvent());
                stopped.complete(null);
              } catch (InterruptedException e) {
                stopped.completeExceptionally(e);
              }
            });
    until(() -> service.count("GET") == 1);
    service.end(0, "");
    stopped.get(LONG.toSeconds(), TimeUnit.SECONDS);
    assertTrue(isOver(attempt));
    run().body("status", is("succeeded"));
  }

  private void loseLease() {
    database.update(
        "update action_run set lease = ? where repo_id = ?",
        UUID.randomUUID(),
        Api.repoId(repository));
  }

  @Test
  void a_command_whose_lease_another_one_has_is_ended_and_its_run_left_alone() throws Exception {
    var attempt = begin();
    loseLease();
    worker.renew();
    until(() -> isOver(attempt));
    assertEquals(List.of("PUT", "DELETE"), service.requests);
    run().body("status", is("running"));
  }

  /** An action that is broken off while it is looked at, and notices nothing of it. */
  private final class Deaf implements Executor, Ongoing {
    private final AtomicInteger ends = new AtomicInteger();

    @Override
    public String kind() {
      return "sprite";
    }

    @Override
    public Step execute(Attempt attempt) {
      return this;
    }

    @Override
    public Step look() {
      loseLease();
      worker.renew();
      assertTrue(Thread.interrupted());
      return this;
    }

    @Override
    public void breakOff() {
      ends.incrementAndGet();
    }
  }

  @Test
  void what_is_broken_off_when_a_look_has_just_been_made_is_ended_once() throws Exception {
    var action = new Deaf();
    worker = worker(LONG, action);
    var attempt = begin();
    lookUntilOver(attempt);
    worker.renew();
    assertEquals(1, action.ends.get());
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
                until(() -> service.count("GET") == 2);
                service.end(0, "");
                ended.complete(null);
              } catch (Throwable e) {
                ended.completeExceptionally(e);
              }
            });
    var drain = new Drain(worker, ticks, settlements, queue, recovery, chores);
    assertEquals(1, drain.run(LONG).runsExecuted());
    ended.get(LONG.toSeconds(), TimeUnit.SECONDS);
    run().body("status", is("succeeded"));
  }

  @Test
  void a_poll_looks_also_where_only_a_tick_began_it() throws Exception {
    var attempt = begin();
    service.end(0, "");
    var background = new Background(worker, wakes, ticks, settlements, recovery, config);
    until(
        () -> {
          background.poll();
          return isOver(attempt);
        });
    run().body("status", is("succeeded"));
  }

  @Test
  void the_whole_attempt_is_timed() throws Exception {
    var attempt = begin();
    long began = System.nanoTime();
    rest(attempt);
    lookUntil(() -> service.count("GET") == 1);
    long lasted = System.nanoTime() - began;
    service.end(0, "");
    lookUntilOver(attempt);
    for (var name : List.of("cairn.attempts", "cairn.sprite.runs")) {
      var timer = counted(name, "succeeded");
      assertEquals(1, timer.count());
      assertTrue(timer.totalTime(TimeUnit.NANOSECONDS) >= lasted, name);
    }
  }

  private Timer counted(String name, String outcome) {
    return metrics.get(name).tag("outcome", outcome).timer();
  }
}
