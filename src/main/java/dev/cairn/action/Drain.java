package dev.cairn.action;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.cairn.work.Chores;
import dev.cairn.work.Worker;
import io.quarkus.runtime.annotations.RegisterForReflection;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Optional;

/** Does the work that is due, on request; {@code docs/actions.md}, Scale to zero. */
@Singleton
class Drain {
  private final Worker<RunAttempt, Outcome> worker;
  private final CronTicks ticks;
  private final RunKind kind;
  private final InboxDelivery inbox;
  private final RunQueue queue;
  private final Recovery recovery;
  private final Chores chores;

  /**
   * What was done.
   *
   * @param runsExecuted attempts that have ended
   * @param runsDue runs that could begin an attempt now
   * @param nextDueAt when something is due next; null if nothing will be
   */
  @RegisterForReflection
  @JsonInclude(JsonInclude.Include.NON_NULL)
  public record Done(int cronFired, int runsExecuted, long runsDue, Instant nextDueAt) {}

  Drain(
      Worker<RunAttempt, Outcome> worker,
      CronTicks ticks,
      RunKind kind,
      InboxDelivery inbox,
      RunQueue queue,
      Recovery recovery,
      Chores chores) {
    this.worker = worker;
    this.ticks = ticks;
    this.kind = kind;
    this.inbox = inbox;
    this.queue = queue;
    this.recovery = recovery;
    this.chores = chores;
  }

  /**
   * Fires the schedules and carries out the runs that are due, then runs the chores that are due,
   * until nothing is due or the time is over.
   */
  Done run(Duration max) throws InterruptedException {
    var end = Instant.now().plus(max);
    int fired = ticks.runDue();
    kind.rescue();
    recovery.endOrphans();
    int executed = 0;
    var begun = new ArrayList<>(worker.claim(Optional.empty()));
    while (!begun.isEmpty() && Instant.now().isBefore(end)) {
      worker.pollOngoing();
      var left = worker.awaitOne(begun, untilNextPoll(end));
      executed += begun.size() - left.size();
      begun = new ArrayList<>(left);
      begun.addAll(worker.claim(Optional.empty()));
    }
    inbox.runDue();
    chores.run(end);
    var outlook = queue.outlook();
    return new Done(fired, executed, outlook.due(), outlook.nextAt());
  }

  private static Duration untilNextPoll(Instant end) {
    var left = Duration.between(Instant.now(), end);
    return left.compareTo(Worker.BETWEEN_POLLS) < 0 ? left : Worker.BETWEEN_POLLS;
  }
}
