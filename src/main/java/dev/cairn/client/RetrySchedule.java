package dev.cairn.client;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;

/**
 * How often and when a request is sent again (backoff). A request is repeated only if that is safe:
 * {@code docs/client.md}, Retries.
 *
 * @param maxAttempts how often a request is sent at most, the first time included; 1 for no retries
 * @param firstDelay the wait after the first attempt, which doubles after each further one
 * @param maxDelay the longest wait; if {@code Retry-After} asks for more, there is no retry
 */
public record RetrySchedule(int maxAttempts, Duration firstDelay, Duration maxDelay) {
  /** Five attempts, with waits from 200 ms, and at most a minute if the service asks for it. */
  public static final RetrySchedule DEFAULT =
      new RetrySchedule(5, Duration.ofMillis(200), Duration.ofMinutes(1));

  /** No retries. */
  public static final RetrySchedule NONE = new RetrySchedule(1, Duration.ZERO, Duration.ZERO);

  /**
   * @throws IllegalArgumentException if there is no attempt, or a wait is negative
   */
  public RetrySchedule {
    if (maxAttempts < 1 || firstDelay.isNegative() || maxDelay.isNegative()) {
      throw new IllegalArgumentException(
          "A retry schedule has at least one attempt, and no negative wait.");
    }
  }

  /** The wait after the attempt with this number, counted from 1; empty if it was the last. */
  Optional<Duration> delayAfter(int attempt) {
    if (attempt >= maxAttempts) {
      return Optional.empty();
    }
    var doubled = firstDelay.multipliedBy(1L << Math.min(attempt - 1, 20));
    return Optional.of(spread(doubled.compareTo(maxDelay) > 0 ? maxDelay : doubled));
  }

  /** The same if the service named a wait, which is the shortest that makes sense. */
  Optional<Duration> delayAfter(int attempt, Duration retryAfter) {
    if (retryAfter.compareTo(maxDelay) > 0) {
      return Optional.empty();
    }
    return delayAfter(attempt).map(delay -> delay.plus(retryAfter));
  }

  /** Clients that failed at the same time must not come back at the same time. */
  private static Duration spread(Duration delay) {
    return delay.multipliedBy(ThreadLocalRandom.current().nextLong(500, 1001)).dividedBy(1000);
  }
}
