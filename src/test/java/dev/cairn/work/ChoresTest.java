package dev.cairn.work;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.cairn.Api;
import dev.cairn.HttpTest;
import dev.cairn.InProcess;
import dev.cairn.platform.database.Database;
import io.quarkus.test.junit.QuarkusTest;
import jakarta.inject.Inject;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Test;

/** Operation, Chores: each runs once an hour over all replicas, however long these live. */
@HttpTest
@QuarkusTest
@InProcess("It has chores of its own.")
class ChoresTest {
  private static final Duration AMPLE = Duration.ofMinutes(5);

  @Inject Database database;

  private record Counted(String name, AtomicInteger steps, BooleanSupplier step) implements Chore {
    static Counted of(BooleanSupplier step) {
      return new Counted(Api.unique("chore"), new AtomicInteger(), step);
    }

    @Override
    public boolean runBatch() {
      steps.incrementAndGet();
      return step.getAsBoolean();
    }
  }

  private Chores replica(Chore... chores) {
    return new Chores(List.of(chores), database);
  }

  private static void run(Chores replica) {
    replica.run(Instant.now().plus(AMPLE));
  }

  private void hourPasses(Chore chore) {
    database.update(
        "update chore set due_at = due_at - interval '1 hour 1 ms' where name = ?", chore.name());
  }

  private boolean isDue(Chore chore) {
    return database
        .first(
            "select due_at <= now() from chore where name = ?", r -> r.getBoolean(1), chore.name())
        .orElse(true);
  }

  @Test
  void a_chore_that_one_replica_has_run_is_not_run_by_another_within_the_hour() {
    var chore = Counted.of(() -> false);
    run(replica(chore));
    run(replica(chore));
    assertEquals(1, chore.steps().get());
    hourPasses(chore);
    run(replica(chore));
    run(replica(chore));
    assertEquals(2, chore.steps().get());
  }

  @Test
  void several_replicas_that_find_a_chore_due_run_it_once() throws InterruptedException {
    var chore = Counted.of(() -> false);
    for (int hour = 1; hour <= 5; hour++) {
      var threads = new ArrayList<Thread>();
      for (int i = 0; i < 8; i++) {
        threads.add(Thread.ofVirtual().start(() -> run(replica(chore))));
      }
      for (var thread : threads) {
        thread.join();
      }
      assertEquals(hour, chore.steps().get());
      hourPasses(chore);
    }
  }

  @Test
  void a_chore_runs_batches_until_nothing_is_left() {
    var left = new AtomicInteger(7);
    var chore = Counted.of(() -> left.decrementAndGet() > 0);
    run(replica(chore));
    assertEquals(7, chore.steps().get());
    assertFalse(isDue(chore));
  }

  @Test
  void a_chore_that_is_not_done_in_time_stays_due() {
    var endless = Counted.of(() -> true);
    var next = Counted.of(() -> false);
    var replica = replica(endless, next);
    replica.run(Instant.now().plusMillis(200));
    assertTrue(endless.steps().get() > 0);
    assertTrue(isDue(endless));
    assertEquals(1, next.steps().get(), "it waited for the other one");
    assertFalse(isDue(next));
    hourPasses(next);
    replica.run(Instant.now());
    assertEquals(1, next.steps().get(), "there was no time at all");
  }

  @Test
  void a_chore_that_fails_does_not_stop_the_others() {
    var broken =
        Counted.of(
            () -> {
              throw new IllegalStateException("for test");
            });
    var next = Counted.of(() -> false);
    run(replica(broken, next));
    assertEquals(1, next.steps().get());
    assertFalse(isDue(broken), "it is tried again in an hour");
  }
}
