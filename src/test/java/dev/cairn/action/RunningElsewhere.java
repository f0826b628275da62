package dev.cairn.action;

import static dev.cairn.Api.admin;
import static org.hamcrest.Matchers.is;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.cairn.Api;
import dev.cairn.Eventually;
import dev.cairn.Prepared;
import dev.cairn.access.MemberRoles;
import dev.cairn.access.token.ServiceTokens;
import dev.cairn.platform.CairnConfig;
import dev.cairn.platform.database.Database;
import dev.cairn.sprite.Elsewhere;
import dev.cairn.subscription.AutomaticPauses;
import dev.cairn.subscription.CredentialSets;
import dev.cairn.work.ActiveAttempt;
import dev.cairn.work.Chores;
import dev.cairn.work.Worker;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.restassured.response.ValidatableResponse;
import jakarta.inject.Inject;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/** A worker of its own, and a repository whose one subscription runs a command elsewhere. */
abstract class RunningElsewhere {
  static final Duration LONG = Duration.ofSeconds(30);

  @Inject Database database;
  @Inject CairnConfig config;
  @Inject RunQueue queue;
  @Inject ReadyQueues ready;
  @Inject AttemptResults results;
  @Inject AttemptResultRules rules;
  @Inject Inputs inputs;
  @Inject AutomaticPauses pauses;
  @Inject CircuitBreaker circuits;
  @Inject ServiceTokens tokens;
  @Inject CredentialSets credentials;
  @Inject MemberRoles roles;
  @Inject CronTicks ticks;
  @Inject Recovery recovery;
  @Inject Chores chores;
  @Inject InboxDelivery inbox;
  @Inject AttemptSpans spans;
  @Inject CallbackTokens callbackTokens;

  final Deliveries deliveries = new Deliveries();
  final MeterRegistry metrics = new SimpleMeterRegistry();
  Elsewhere service;
  RunKind kind;
  Worker<RunAttempt, Outcome> worker;
  String repository;

  @BeforeEach
  void subscribe() throws Exception {
    service = new Elsewhere();
    worker = worker(LONG);
    repository = Api.newRepository("private");
    Prepared.commit(repository, "{'operation':'add','name':'Note','data':{'fields':{}}}");
    admin()
        .body(
            """
            {"name":"sprite","kind":"sprite","shapeName":"Note","filterJson":{},
             "spriteConfig":{"command":"true","inputMode":"stdin"}}
            """)
        .post(repository + "/subs")
        .then()
        .statusCode(201);
    Prepared.commit(repository, "{'operation':'add','name':'Note/first','data':{}}");
  }

  @AfterEach
  void close() {
    service.close();
  }

  /** One of its own, whose sprites run elsewhere. */
  final Worker<RunAttempt, Outcome> worker(Duration shutdownTimeout) {
    return worker(shutdownTimeout, service.executor(database, tokens, credentials, roles, metrics));
  }

  final Worker<RunAttempt, Outcome> worker(Duration shutdownTimeout, Executor executor) {
    var execution =
        new Execution(
            List.of(executor), inputs, new ActionMetrics(metrics, database), spans, callbackTokens);
    kind =
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
            shutdownTimeout);
    return new Worker<>(kind);
  }

  /** The attempt, when its command has begun and its thread has left it. */
  final ActiveAttempt<RunAttempt, Outcome> begin() throws InterruptedException {
    var begun = worker.claim(Optional.of(Set.of(Api.repoId(repository))));
    assertEquals(1, begun.size());
    rest(begun.getFirst());
    return begun.getFirst();
  }

  static void rest(ActiveAttempt<RunAttempt, Outcome> attempt) throws InterruptedException {
    assertTrue(attempt.thread().join(LONG), "a thread waits for the command");
  }

  final void pollUntil(String what, Eventually.Condition condition) {
    Eventually.await(
        what,
        () -> {
          worker.pollOngoing();
          return condition.isTrue();
        });
  }

  /** Polls until the attempt has ended. */
  final void pollUntilOver(ActiveAttempt<RunAttempt, Outcome> attempt) throws InterruptedException {
    pollUntil("the attempt ends", () -> isOver(attempt));
  }

  final boolean isOver(ActiveAttempt<RunAttempt, Outcome> attempt) {
    try {
      return worker.awaitOne(List.of(attempt), Duration.ZERO).isEmpty();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  final ValidatableResponse run() {
    return admin()
        .get(repository + "/actions/runs")
        .then()
        .statusCode(200)
        .body("size()", is(1))
        .rootPath("[0]");
  }

  final ValidatableResponse attempts() {
    return admin()
        .get(repository + "/actions/runs/" + deliveries.onlyRun(repository) + "/attempts")
        .then()
        .statusCode(200);
  }

  final Timer counted(String name, String outcome) {
    return metrics.get(name).tag("outcome", outcome).timer();
  }
}
