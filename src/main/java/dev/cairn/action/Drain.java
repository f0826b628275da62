package dev.cairn.action;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.cairn.work.Chores;
import io.quarkus.runtime.annotations.RegisterForReflection;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Optional;

/** Does what is due, on request; {@code docs/actions.md}, Scale to zero. */
@Singleton
class Drain {
  private final Worker worker;
  private final CronTicks ticks;
  private final Settlements settlements;
  private final RunQueue queue;
  private final Recovery recovery;
  private final Chores chores;

  /**
   * What was done.
   *
   * @param runsExecuted attempts that have ended
   * @param runsDue runs that could begin an attempt now
   * @param nextDueAt when something is due next; null for never
   */
  @RegisterForReflection
  @JsonInclude(JsonInclude.Include.NON_NULL)
  public record Done(int cronFired, int runsExecuted, long runsDue, Instant nextDueAt) {}

  Drain(
      Worker worker,
      CronTicks ticks,
      Settlements settlements,
      RunQueue queue,
      Recovery recovery,
      Chores chores) {
    this.worker = worker;
    this.ticks = ticks;
    this.settlements = settlements;
    this.queue = queue;
    this.recovery = recovery;
    this.chores = chores;
  }

  /**
   * Fires what is due and carries out what is due, then does the chores that are due, until nothing
   * is or the time is over.
   */
  Done run(Duration most) throws InterruptedException {
    var end = Instant.now().plus(most);
    int fired = ticks.fire();
    worker.rescue();
    recovery.endLeft();
    int executed = 0;
    var begun = new ArrayList<>(worker.claim(Optional.empty()));
    while (!begun.isEmpty() && Instant.now().isBefore(end)) {
      worker.look();
      var left = worker.awaitOne(begun, untilNextLook(end));
      executed += begun.size() - left.size();
      begun = new ArrayList<>(left);
      begun.addAll(worker.claim(Optional.empty()));
    }
    settlements.deliverNotifications();
    chores.run(end);
    var outlook = queue.outlook();
    return new Done(fired, executed, outlook.due(), outlook.nextAt());
  }

  private static Duration untilNextLook(Instant end) {
    var left = Duration.between(Instant.now(), end);
    return left.compareTo(Worker.BETWEEN_LOOKS) < 0 ? left : Worker.BETWEEN_LOOKS;
  }
}
