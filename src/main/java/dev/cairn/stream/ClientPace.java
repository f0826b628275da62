package dev.cairn.stream;

import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * How fast a client sends its lines and, after the last one, takes its results: the bytes of the
 * last seconds in which the submission has waited for it, to read or to write. Time in which the
 * service works does not count. See {@code docs/streams.md}, Limits.
 */
final class ClientPace {
  /** A client that makes less progress is slow. */
  static final int MIN_BYTES_PER_SECOND = 1_024;

  /** A client is slow at the earliest after so much waiting; the rate is that of up to twice. */
  static final long WINDOW_NANOS = TimeUnit.SECONDS.toNanos(5);

  private final LongSupplier nanos;
  private final Span current = new Span();
  private final Span former = new Span();
  private boolean isWaiting;
  private boolean hasSentAll;
  private long waitsSince;

  private static final class Span {
    long waited;
    long bytes;

    void set(long newWaited, long newBytes) {
      waited = newWaited;
      bytes = newBytes;
    }
  }

  ClientPace() {
    this(System::nanoTime);
  }

  /**
   * Nothing has come yet.
   *
   * @param nanos a clock
   */
  ClientPace(LongSupplier nanos) {
    this.nanos = nanos;
  }

  /** From now on the client is waited for. */
  synchronized void beginToWait() {
    if (current.waited >= WINDOW_NANOS) {
      former.set(current.waited, current.bytes);
      current.set(0, 0);
    }
    isWaiting = true;
    waitsSince = nanos.getAsLong();
  }

  /** The client is not waited for any longer. */
  synchronized void endWait() {
    current.waited += waitingNanos();
    isWaiting = false;
  }

  /** The last line has come. */
  synchronized void endLines() {
    hasSentAll = true;
  }

  /** Counts bytes that the client has sent or taken. */
  synchronized void add(int bytes) {
    current.bytes += bytes;
  }

  /** For how long the present wait has lasted; 0 if the client is not waited for. */
  synchronized long waitingNanos() {
    return isWaiting ? nanos.getAsLong() - waitsSince : 0;
  }

  /**
   * The bytes for each second that the client was waited for. What came before a wait of the whole
   * window does not count: it may have been much.
   */
  synchronized double bytesPerSecond() {
    return waitingNanos() >= WINDOW_NANOS ? 0 : rate();
  }

  private double rate() {
    return (current.bytes + former.bytes) / Math.max(1e-9, waited() / 1e9);
  }

  /** Whether the client is waited for, and was too slow while it was. */
  synchronized boolean isSlow() {
    return isWaiting && waited() >= WINDOW_NANOS && bytesPerSecond() < MIN_BYTES_PER_SECOND;
  }

  /**
   * Whether the submission can be ended. After the last line, it can only be ended while its client
   * is waited for, to take its results: the work itself cannot be ended.
   */
  synchronized boolean canEnd() {
    return !hasSentAll || isWaiting;
  }

  private long waited() {
    return current.waited + former.waited + waitingNanos();
  }
}
