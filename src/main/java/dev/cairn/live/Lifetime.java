package dev.cairn.live;

import dev.cairn.platform.CairnConfig;
import java.time.Duration;
import java.util.Optional;
import java.util.function.LongSupplier;

/**
 * How long live updates to a client last: see {@code docs/live.md}, The end. For one thread, from
 * now on.
 */
final class Lifetime {
  private final Duration max;
  private final Duration idle;
  private final LongSupplier nanos;
  private final long beganAt;
  private long commitAt;

  /**
   * @param max after which they end
   * @param idle after which they end if there was no commit; zero if they do not
   * @param nanos a clock
   */
  Lifetime(Duration max, Duration idle, LongSupplier nanos) {
    this.max = max;
    this.idle = idle;
    this.nanos = nanos;
    this.beganAt = nanos.getAsLong();
    this.commitAt = beganAt;
  }

  /** As it is configured. */
  static Lifetime of(CairnConfig.Live config) {
    return new Lifetime(config.maxDuration(), config.idleDuration(), System::nanoTime);
  }

  /** There was a commit. */
  void committed() {
    commitAt = nanos.getAsLong();
  }

  /** Why they end now; empty if they last. */
  Optional<Ending> ending() {
    long now = nanos.getAsLong();
    if (now - beganAt > max.toNanos()) {
      return Optional.of(Ending.MAX_DURATION);
    }
    return !idle.isZero() && now - commitAt > idle.toNanos()
        ? Optional.of(Ending.IDLE)
        : Optional.empty();
  }

  /** For how long they last if there is no commit. */
  Duration left() {
    long now = nanos.getAsLong();
    long left = beganAt + max.toNanos() - now;
    if (!idle.isZero()) {
      left = Math.min(left, commitAt + idle.toNanos() - now);
    }
    return Duration.ofNanos(Math.max(0, left) + 1);
  }
}
