package dev.cairn.work;

import java.time.Duration;
import java.util.List;
import java.util.function.DoubleSupplier;
import java.util.random.RandomGenerator;

/**
 * The retry schedule of a kind of work: the backoff before each attempt, with jitter. {@code
 * docs/actions.md}, Retries, has the rules of runs.
 */
public final class RetrySchedule {
  /** The largest jitter, as a part of the delay, so that retries do not come in bursts. */
  private static final double JITTER = 0.2;

  /** {@code Retry-After} lengthens a delay to at most this many times its length. */
  private static final int MAX_RETRY_AFTER = 2;

  private final List<Duration> delays;
  private final DoubleSupplier random;

  /**
   * A schedule with random jitter.
   *
   * @param delays the delay before each attempt, at least one; the last one is repeated
   */
  public RetrySchedule(List<Duration> delays) {
    this(delays, RandomGenerator.getDefault()::nextDouble);
  }

  /**
   * @param random the part of the jitter that is added, 0 to 1
   */
  public RetrySchedule(List<Duration> delays, DoubleSupplier random) {
    this.delays = List.copyOf(delays);
    this.random = random;
  }

  /** The delay before the first attempt. */
  public Duration first() {
    return delays.getFirst();
  }

  /**
   * The delay from the end of an attempt to the next one.
   *
   * @param attempt the number of the attempt that ended, from 1
   * @param retryAfter the delay that the target requires, which can only lengthen it; null if it
   *     requires none
   */
  public Duration after(int attempt, Duration retryAfter) {
    var delay = delays.get(Math.min(attempt, delays.size() - 1));
    var withJitter = delay.plusMillis((long) (delay.toMillis() * JITTER * random.getAsDouble()));
    if (retryAfter == null) {
      return withJitter;
    }
    var max = delay.multipliedBy(MAX_RETRY_AFTER);
    var required = retryAfter.compareTo(max) < 0 ? retryAfter : max;
    return required.compareTo(withJitter) > 0 ? required : withJitter;
  }
}
