package dev.cairn.action;

import static dev.cairn.Api.admin;
import static org.hamcrest.Matchers.contains;
import static org.hamcrest.Matchers.is;
import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.cairn.Api;
import dev.cairn.HttpTest;
import dev.cairn.InProcess;
import dev.cairn.work.SlotLimits;
import dev.cairn.work.Slots;
import dev.cairn.work.TargetQueue;
import dev.cairn.work.WorkTarget;
import io.quarkus.test.junit.QuarkusTest;
import jakarta.inject.Inject;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Actions, Circuit breaker: what counts as a failure and as an answer, and what as neither. */
@HttpTest
@QuarkusTest
@InProcess("It tells the circuit breaker what it hears.")
class CircuitBreakerTest extends OneHook {
  private static final String TARGET = "https://target.example#0";

  @Inject CircuitBreaker circuits;
  @Inject RunQueue queue;
  @Inject ReadyQueues ready;

  private ClaimedRun claimed() {
    return claimed(TARGET);
  }

  private ClaimedRun claimed(String name) {
    var target = new WorkTarget(UUID.randomUUID(), Api.repoId(repository), name, "webhook");
    var id = UUID.randomUUID();
    return new ClaimedRun(
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
        null,
        "https://cairn.example.org",
        true,
        new CallbackTokens.Validity(0, 0));
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
    circuits.report(claimed(), outcome);
    assertEquals(List.of(), failures());
    circuits.report(claimed(), http(500, true));
    circuits.report(claimed(), outcome);
    assertEquals(List.of(1), failures());
    circuits.report(claimed(), new Outcome.Succeeded(200));
    assertEquals(List.of(), failures());
  }

  @ParameterizedTest
  @ValueSource(ints = {302, 404, 410})
  void an_answer_ends_it_also_where_the_run_fails(int status) {
    circuits.report(claimed(), Outcome.Failed.retryable(Codes.WEBHOOK_NETWORK_ERROR, ""));
    assertEquals(List.of(1), failures());
    circuits.report(claimed(), http(status, false));
    assertEquals(List.of(), failures());
  }

  @Test
  void an_action_that_was_accepted_is_an_answer() {
    circuits.report(claimed(), http(503, true));
    circuits.report(claimed(), new Outcome.Accepted(202));
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

  private void open(String url) {
    receiver.answering(call -> Receiver.status(call.path().equals(url) ? 500 : 200));
    for (int i = 0; i < CircuitBreaker.MAX_FAILURES; i++) {
      commit();
      deliveries.run(repository);
    }
  }

  /** So that nothing of a test depends on how long it takes. */
  private void stayOpen() {
    assertEquals(
        1,
        database.update(
            """
            update delivery_target set open_until = now() + interval '1 hour'
            where repo_id = ? and open_until is not null
            """,
            Api.repoId(repository)));
  }

  private void endOpenTime() {
    database.update(
        "update delivery_target set open_until = now() where repo_id = ?", Api.repoId(repository));
  }

  /** Makes all retries due. */
  private void retriesAreDue() {
    database.update(
        "update action_run set due_at = now() where repo_id = ? and status = 'retry_wait'",
        Api.repoId(repository));
  }

  private long calls(String path) {
    return receiver.calls().stream().filter(call -> call.path().equals(path)).count();
  }

  @Test
  void a_path_that_fails_holds_back_no_other_path_of_its_host() {
    open("/hook?a=b");
    stayOpen();
    deliveries.webhook(repository, "other", "Sensor", receiver.url("/other"));
    commit();
    assertEquals(2, deliveries.run(repository));
    assertEquals(1, calls("/other"));
  }

  @Test
  void a_run_that_was_never_tried_is_tried_also_while_the_circuit_is_open() {
    open("/hook?a=b");
    stayOpen();
    commit();
    assertEquals(1, deliveries.run(repository));
    run().body("attemptCount", is(1)).body("status", is("retry_wait"));
  }

  @Test
  void retries_wait_while_the_circuit_is_open_and_one_of_them_probes_when_the_time_is_over() {
    open("/hook?a=b");
    stayOpen();
    retriesAreDue();
    assertEquals(0, deliveries.run(repository));
    endOpenTime();
    assertEquals(1, deliveries.run(repository));
    assertEquals(List.of(6), failures());
    endOpenTime();
    receiver.answering(200);
    retriesAreDue();
    assertEquals(5, deliveries.run(repository), "the probe, and then all of them");
    assertEquals(List.of(), failures());
  }

  @Test
  void while_a_probe_is_under_way_there_is_no_other_one() {
    open("/hook?a=b");
    var answer = new CountDownLatch(1);
    receiver.answering(
        _ -> {
          answer.await();
          return Receiver.status(500);
        });
    retriesAreDue();
    endOpenTime();
    var probe = deliveries.begin(repository);
    assertEquals(1, probe.size());
    assertEquals(List.of(), deliveries.begin(repository));
    answer.countDown();
    deliveries.await(probe);
    assertEquals(List.of(6), failures());
  }

  /** The other worker chose its probe from what it saw before this one began with the same run. */
  @Test
  void a_run_that_probes_again_is_the_only_probe_too() {
    open("/hook?a=b");
    endOpenTime();
    retriesAreDue();
    assertEquals(1, deliveries.run(repository));
    retriesAreDue();
    endOpenTime();
    database.update(
        """
        update action_run set due_at = now() - interval '1 hour'
        where id = (select probe from delivery_target where repo_id = ?)
        """,
        Api.repoId(repository));
    var lastProbe =
        deliveries.value(
            "select probe from delivery_target where repo_id = ?", Api.repoId(repository));
    var slots = new Slots(Map.of("webhook", SlotLimits.ofCalls(4)));
    var seen = ready.find(Optional.of(Set.of(Api.repoId(repository))), slots.full(), 10);
    assertEquals(List.of(true), seen.stream().map(TargetQueue::isProbe).toList());
    var grants = slots.grant(seen, 10);
    var probe = queue.claim(grants, UUID.randomUUID());
    assertEquals(
        List.of(lastProbe), probe.stream().map(p -> p.running().runId().toString()).toList());
    assertEquals(List.of(), queue.claim(grants, UUID.randomUUID()));
  }

  @Test
  void the_circuit_is_open_for_twice_as_long_with_each_probe_that_fails_up_to_five_minutes() {
    open("/hook?a=b");
    var seconds = new ArrayList<Integer>();
    for (int i = 0; i < 8; i++) {
      seconds.add(
          Integer.valueOf(
              deliveries.value(
                  """
                  select round(extract(epoch from open_until - updated_at))::int
                  from delivery_target where repo_id = ?
                  """,
                  Api.repoId(repository))));
      endOpenTime();
      circuits.report(claimed(target()), http(500, true));
    }
    assertEquals(List.of(5, 10, 20, 40, 80, 160, 300, 300), seconds);
  }

  private String target() {
    return deliveries.value(
        "select target from delivery_target where repo_id = ?", Api.repoId(repository));
  }

  @Test
  void a_retry_by_hand_passes_and_so_do_runs_that_are_recovered() {
    deliver(404);
    var ended = runs().extract().<String>path("[0].runId");
    open("/hook?a=b");
    stayOpen();
    admin().post(repository + "/actions/runs/" + ended + "/retry").then().statusCode(200);
    assertEquals(1, deliveries.run(repository));
    database.update(
        """
        update action_run set status = 'dead_letter', due_at = null, ended_at = now()
        where repo_id = ? and id = ?::uuid
        """,
        Api.repoId(repository),
        ended);
    admin().body(Map.of("since", 0)).post(repository + "/subs/hook/recover").then().statusCode(200);
    assertEquals(1, deliveries.run(repository));
  }

  @Test
  void failures_in_a_row_take_no_places_away() {
    open("/hook?a=b");
    var answer = new CountDownLatch(1);
    receiver.answering(
        _ -> {
          answer.await();
          return Receiver.status(200);
        });
    commit();
    var first = deliveries.begin(repository);
    commit();
    var second = deliveries.begin(repository);
    answer.countDown();
    assertEquals(1, first.size());
    assertEquals(1, second.size(), "the first one is still under way");
    deliveries.await(first);
    deliveries.await(second);
  }
}
