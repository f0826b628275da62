package dev.cairn.action;

import static org.hamcrest.Matchers.contains;
import static org.hamcrest.Matchers.is;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.cairn.Api;
import dev.cairn.Eventually;
import dev.cairn.HttpTest;
import dev.cairn.InProcess;
import dev.cairn.work.Ongoing;
import dev.cairn.work.Step;
import io.quarkus.test.junit.QuarkusTest;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/**
 * Actions, Workers: attempts that are stopped, or lose their lease, while a command runs elsewhere.
 */
@HttpTest
@QuarkusTest
@InProcess("It has a worker of its own.")
class OngoingEndTest extends RunningElsewhere {
  @Test
  void a_worker_that_stops_ends_the_command_and_gives_the_run_back() throws Exception {
    worker = worker(Duration.ZERO);
    var attempt = begin();
    worker.stop();
    Eventually.await("the attempt ends", () -> isOver(attempt));
    assertEquals(List.of("PUT", "DELETE"), service.requests);
    run().body("status", is("retry_wait"));
    attempts().body("errorCode", contains("WORKER_STOPPED"));
    assertEquals(1, counted("cairn.sprite.runs", "stopped").count());
  }

  @Test
  void a_worker_that_stops_ends_a_command_that_is_being_polled() throws Exception {
    worker = worker(Duration.ZERO);
    var attempt = begin();
    service.hold();
    pollUntil("look 1 at the command", () -> service.count("GET") == 1);
    worker.stop();
    Eventually.await("the attempt ends", () -> isOver(attempt));
    assertEquals(List.of("PUT", "GET", "DELETE"), service.requests);
    attempts().body("errorCode", contains("WORKER_STOPPED"));
  }

  @Test
  void a_worker_that_stops_polls_as_long_as_there_is_time() throws Exception {
    var attempt = begin();
    var stopped = Deliveries.stop(worker);
    Eventually.await("look 1 at the command", () -> service.count("GET") == 1);
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
    Eventually.await("the attempt ends", () -> isOver(attempt));
    assertEquals(List.of("PUT", "DELETE"), service.requests);
    run().body("status", is("running"));
  }

  /** An action that is cancelled while it is polled, and does not notice. */
  private final class Deaf implements Executor, Ongoing<Outcome> {
    private final AtomicInteger ends = new AtomicInteger();

    @Override
    public String kind() {
      return "sprite";
    }

    @Override
    public Step<Outcome> execute(Attempt attempt) {
      return this;
    }

    @Override
    public Step<Outcome> poll() {
      loseLease();
      worker.renew();
      assertTrue(Thread.interrupted());
      return this;
    }

    @Override
    public void cancel() {
      ends.incrementAndGet();
    }
  }

  @Test
  void an_action_that_is_cancelled_while_it_is_polled_is_ended_once() throws Exception {
    var action = new Deaf();
    worker = worker(LONG, action);
    var attempt = begin();
    pollUntilOver(attempt);
    worker.renew();
    assertEquals(1, action.ends.get());
  }
}
