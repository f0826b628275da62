package dev.cairn.client;

import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;

/**
 * When to connect again after a connection for live updates was lost: at random times, so that not
 * all clients of a replica that stops come to the next one at once, and ever more seldom.
 */
final class Reconnects {
  private static final Duration FIRST = Duration.ofSeconds(1);
  private static final Duration LONGEST = Duration.ofSeconds(30);

  private boolean connected;
  private Duration delay = FIRST;

  /** The connection works. */
  void succeeded() {
    connected = true;
    delay = FIRST;
  }

  /**
   * Waits before the next attempt.
   *
   * @throws RuntimeException the failure, if another attempt makes no sense: access has ended, or
   *     there was no connection yet
   */
  void pauseAfter(RuntimeException failure) {
    boolean temporary =
        switch (failure) {
          case ServerNotReachedException _ -> !Thread.currentThread().isInterrupted();
          case CairnException e -> e.status() == 429 || e.status() >= 500;
          default -> false;
        };
    if (!connected || !temporary) {
      throw failure;
    }
    var wait = Duration.ZERO;
    if (failure instanceof CairnException refused) {
      wait = refused.retryAfter().orElse(Duration.ZERO);
    }
    pause(wait);
  }

  /** Waits before the next attempt, at least as long as this. */
  void pause(Duration atLeast) {
    long random = ThreadLocalRandom.current().nextLong(delay.toMillis()) + 1;
    delay = delay.multipliedBy(2).compareTo(LONGEST) > 0 ? LONGEST : delay.multipliedBy(2);
    Transport.pause(atLeast.plusMillis(random));
  }
}
