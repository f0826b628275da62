package dev.cairn.stream;

import dev.cairn.model.ErrorCode;
import dev.cairn.model.Problem;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * Watches the one transaction of an atomic submission, for which other writers of the repository
 * wait: it checks each second whether the submission may go on, and bounds the time of all attempts
 * together. For one thread. See {@code docs/streams.md}, All or nothing.
 */
final class TransactionWatch {
  /** The time of any transaction, */
  private static final Duration BASE = Duration.ofMinutes(1);

  /** with a second more for each of these; twice the time that a slow server was seen to take, */
  private static final int OPERATIONS_PER_SECOND = 2_500;

  private static final long BYTES_PER_SECOND = 8L * 1024 * 1024;

  /** but never more than this: the transaction manager gives up after 15 minutes. */
  private static final Duration MAX = Duration.ofMinutes(13);

  private static final long INTERVAL_NANOS = TimeUnit.SECONDS.toNanos(1);

  private final Runnable check;
  private final Duration max;
  private final LongSupplier nanos;
  private boolean hasBegun;
  private long begunAt;
  private long checkedAt;

  /**
   * The time begins with the first call.
   *
   * @param check throws if the submission may not go on
   * @param max the time of the transaction
   */
  TransactionWatch(Runnable check, Duration max) {
    this(check, max, System::nanoTime);
  }

  TransactionWatch(Runnable check, Duration max, LongSupplier nanos) {
    this.check = check;
    this.max = max;
    this.nanos = nanos;
  }

  /**
   * How long a transaction may take.
   *
   * @param operations of the submission
   * @param bytes of its lines
   */
  static Duration maxTime(int operations, long bytes) {
    var time = BASE.plusSeconds(operations / OPERATIONS_PER_SECOND + bytes / BYTES_PER_SECOND);
    return time.compareTo(MAX) < 0 ? time : MAX;
  }

  /**
   * Requires that the transaction may go on.
   *
   * @throws Problem {@code UNAVAILABLE} if it has taken too long, or what the check throws
   */
  void requireGoingOn() {
    long now = nanos.getAsLong();
    if (!hasBegun) {
      hasBegun = true;
      begunAt = now;
      checkedAt = now;
    }
    if (now - begunAt > max.toNanos()) {
      throw Problem.of(
              ErrorCode.UNAVAILABLE,
              "The transaction of this submission took longer than the %,d s that its operations may take, so nothing was applied."
                  .formatted(max.toSeconds()))
          .hint("Send fewer operations in one submission, or send them with `atomic=false`.");
    }
    if (now - checkedAt > INTERVAL_NANOS) {
      check.run();
      checkedAt = nanos.getAsLong();
    }
  }

  /** Does work whose time does not count. */
  void pause(Runnable work) {
    long began = nanos.getAsLong();
    work.run();
    begunAt += nanos.getAsLong() - began;
  }
}
