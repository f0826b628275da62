package dev.cairn.action;

import static org.hamcrest.Matchers.contains;
import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.cairn.Api;
import dev.cairn.HttpTest;
import dev.cairn.InProcess;
import io.quarkus.test.junit.QuarkusTest;
import jakarta.inject.Inject;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Actions, Failing targets: what counts as a failure and as an answer, and what as neither. */
@HttpTest
@QuarkusTest
@InProcess("It tells the breaker what it hears.")
class BreakerTest extends OneHook {
  private static final String TARGET = "https://target.example";

  @Inject Breaker breaker;

  private Claimed claimed() {
    var target = new Slots.Target(Api.repoId(repository), TARGET, "webhook");
    var id = UUID.randomUUID();
    return new Claimed(
        new RunningAttempt(target.repoId(), id, 1, 7, id),
        target,
        subscription,
        id,
        new byte[0],
        null,
        0,
        new int[0],
        Instant.now(),
        "org",
        "repo",
        "hook",
        "https://cairn.example.org",
        true);
  }

  private List<Integer> failures() {
    return database.list(
        "select failures from delivery_target where repo_id = ?",
        row -> row.getInt(1),
        Api.repoId(repository));
  }

  private static Outcome http(int status, boolean retryable) {
    return new Outcome.Failed("HTTP_" + status, "", status, retryable, null, false);
  }

  static Stream<Outcome> withoutCalls() {
    return Stream.of(
        Outcome.Failed.terminal(Codes.SUBSCRIPTION_DELETED, ""),
        Outcome.Failed.terminal(Codes.CREDENTIALS_UNAVAILABLE, ""),
        Outcome.Failed.terminal(Codes.WEBHOOK_TARGET_FORBIDDEN, ""),
        Outcome.Failed.terminal(Codes.WEBHOOK_INPUT_NOT_FOUND, ""),
        Outcome.Failed.terminal(Codes.NOTIFICATIONS_OFF, ""),
        Outcome.Failed.terminal("SPRITE_AUTH_MISSING", ""),
        Outcome.Failed.retryable(Codes.INTERNAL_ERROR, ""));
  }

  @ParameterizedTest
  @MethodSource("withoutCalls")
  void what_ends_without_a_call_neither_counts_as_a_failure_nor_as_an_answer(Outcome outcome) {
    breaker.heard(claimed(), outcome);
    assertEquals(List.of(), failures());
    breaker.heard(claimed(), http(500, true));
    breaker.heard(claimed(), outcome);
    assertEquals(List.of(1), failures());
    breaker.heard(claimed(), new Outcome.Succeeded(200));
    assertEquals(List.of(), failures());
  }

  @ParameterizedTest
  @ValueSource(ints = {302, 404, 410})
  void an_answer_ends_it_also_where_the_run_fails(int status) {
    breaker.heard(claimed(), Outcome.Failed.retryable(Codes.WEBHOOK_NETWORK_ERROR, ""));
    assertEquals(List.of(1), failures());
    breaker.heard(claimed(), http(status, false));
    assertEquals(List.of(), failures());
  }

  @Test
  void an_action_that_was_accepted_is_an_answer() {
    breaker.heard(claimed(), http(503, true));
    breaker.heard(claimed(), new Outcome.Accepted(202));
    assertEquals(List.of(), failures());
  }

  @Test
  void a_fault_of_the_service_is_none_of_the_target() {
    commit();
    database.update("alter table matched_operation rename to matched_operation_away");
    try {
      deliveries.run(repository);
    } finally {
      database.update("alter table matched_operation_away rename to matched_operation");
    }
    attempts().body("errorCode", contains("INTERNAL_ERROR"));
    assertEquals(List.of(), failures());
  }
}
