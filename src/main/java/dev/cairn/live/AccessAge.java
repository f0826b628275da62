package dev.cairn.live;

import java.util.concurrent.TimeUnit;

/**
 * When a client that follows repositories was authorized again, and when it is to be; see {@link
 * AccessChecks}. Times are those of {@link System#nanoTime}.
 */
final class AccessAge {
  /** Within this time after access has ended, commits may still be told. */
  private static final long MAX_NANOS = TimeUnit.SECONDS.toNanos(1);

  /** After this time a client is authorized again that is to be told of a commit. */
  private static final long RENEWAL_NANOS = MAX_NANOS / 2;

  /** After this time any is. */
  private static final long INTERVAL_NANOS = TimeUnit.SECONDS.toNanos(5);

  private volatile boolean isRequested;
  private volatile boolean isChecked;
  private volatile long checkedAt;
  private volatile long triedAt;

  /**
   * @param openedAt when the client began to follow
   */
  AccessAge(long openedAt) {
    this.triedAt = openedAt - RENEWAL_NANOS;
  }

  /** Whether a commit may be told now. */
  boolean isFresh(long now) {
    return isChecked && now - checkedAt <= MAX_NANOS;
  }

  /** Whether it is to be checked before the next commit is told, so that this one need not wait. */
  boolean needsRenewal(long now) {
    return !isChecked || now - checkedAt > RENEWAL_NANOS;
  }

  /** Has it be checked soon. */
  void request() {
    isRequested = true;
  }

  /** In what time it is to be checked; not positive if that is now. */
  long nanosUntilDue(long now) {
    return triedAt + (isRequested ? RENEWAL_NANOS : INTERVAL_NANOS) - now;
  }

  /** A check of it begins. */
  void tried(long now) {
    isRequested = false;
    triedAt = now;
  }

  /** A check of it has succeeded that began at this time. */
  void checked(long begun) {
    checkedAt = begun;
    isChecked = true;
  }
}
