package dev.cairn.action;

import dev.cairn.platform.CairnConfig;
import jakarta.inject.Inject;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.List;
import java.util.function.DoubleSupplier;
import java.util.random.RandomGenerator;

/** How long to wait before the next attempt; {@code docs/actions.md}, Retries, has the rules. */
@Singleton
class Ladder {
  /** Of the step, at random, so that what failed together does not come back together. */
  private static final double JITTER = 0.2;

  /** How many times its own length a target may make a step. */
  private static final int MOST_LENGTHENED = 2;

  private final List<Duration> steps;
  private final DoubleSupplier random;

  @Inject
  Ladder(CairnConfig config) {
    this(config.retry().delays(), RandomGenerator.getDefault()::nextDouble);
  }

  /**
   * @param steps the wait before each attempt; the last one is repeated
   * @param random 0 to 1
   */
  Ladder(List<Duration> steps, DoubleSupplier random) {
    this.steps = List.copyOf(steps);
    this.random = random;
  }

  /** The wait before the first attempt. */
  Duration first() {
    return steps.getFirst();
  }

  /**
   * The wait from the end of an attempt to the next one.
   *
   * @param attempt the number of the one that ended, from 1
   * @param retryAfter what the target asks for, which only lengthens; null where it does not
   */
  Duration after(int attempt, Duration retryAfter) {
    var step = steps.get(Math.min(attempt, steps.size() - 1));
    var wait = step.plusMillis((long) (step.toMillis() * JITTER * random.getAsDouble()));
    if (retryAfter == null) {
      return wait;
    }
    var most = step.multipliedBy(MOST_LENGTHENED);
    var asked = retryAfter.compareTo(most) < 0 ? retryAfter : most;
    return asked.compareTo(wait) > 0 ? asked : wait;
  }
}
