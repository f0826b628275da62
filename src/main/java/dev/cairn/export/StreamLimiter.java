package dev.cairn.export;

import dev.cairn.model.ErrorCode;
import dev.cairn.model.Problem;
import dev.cairn.platform.limiter.FairShare;
import dev.cairn.platform.memory.StreamedBody;
import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.time.Duration;
import java.util.Comparator;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;

/**
 * Limits how many bodies this replica sends at a time, which accounts share fairly: an account that
 * has one, or had one recently, leaves some slots to those that did not. A body with a slow client
 * is ended as soon as an account without one waits; see {@code docs/export.md}, Slow clients.
 */
final class StreamLimiter {
  private static final int RETRY_SECONDS = 10;

  /** How long a stream waits for a slot; each second it may end a slow stream. */
  private static final int WAIT_SECONDS = 10;

  /** How many fifths of the slots are for accounts that have no stream and had none recently. */
  private static final int RESERVED_FIFTHS = 2;

  /** How long used time counts, on average: about as long as a stream may take. */
  private static final Duration DECAY_TIME = Duration.ofMinutes(10);

  /** A stream is slow if its client does not take a piece within this time, */
  private static final long MAX_PIECE_NANOS = TimeUnit.SECONDS.toNanos(5);

  /**
   * or if after this time it has taken less than {@link #MIN_BYTES_PER_SECOND}: as many accounts as
   * there are slots could otherwise keep all of them for next to nothing.
   */
  private static final long MIN_RATE_NANOS = TimeUnit.SECONDS.toNanos(30);

  /** Counts the bytes that are sent: compressed content may have a thousandth of its length. */
  private static final int MIN_BYTES_PER_SECOND = 512 * 1024;

  private final Refusals refusals;
  private final LongSupplier nanos;
  private final FairShare<UUID> slots;
  private final int maxOfAccount;

  /** The number of streams of each account that has any, including waiting ones. */
  private final ConcurrentHashMap<UUID, Integer> streamsByAccount = new ConcurrentHashMap<>();

  private final Set<Stream> running = ConcurrentHashMap.newKeySet();

  /**
   * What a refused caller is told.
   *
   * @param ofAccount the detail if the account has too many; takes their maximum
   * @param ofAll the detail if this replica has too many
   */
  record Refusals(String ofAccount, String ofAll, String hint) {}

  /**
   * Limits the streams of one kind.
   *
   * @param max the maximum in this replica
   * @param maxOfAccount the maximum of one account
   */
  StreamLimiter(int max, int maxOfAccount, Refusals refusals) {
    this(max, maxOfAccount, refusals, System::nanoTime);
  }

  StreamLimiter(int max, int maxOfAccount, Refusals refusals, LongSupplier nanos) {
    this.nanos = nanos;
    this.slots = FairShare.ofLongWork(Math.max(1, max), max * RESERVED_FIFTHS / 5, DECAY_TIME);
    this.maxOfAccount = Math.max(1, maxOfAccount);
    this.refusals = refusals;
  }

  /** How many streams are being sent. */
  int running() {
    return running.size();
  }

  /**
   * Sends a body when there is a slot for it.
   *
   * @param hangUp closes the connection of the client
   * @throws Problem {@link ErrorCode#RATE_LIMITED} if the account has too many streams, {@link
   *     ErrorCode#UNAVAILABLE} if this replica has too many; both before anything is written
   */
  void send(UUID account, Runnable hangUp, OutputStream out, StreamedBody.Writer body)
      throws IOException {
    if (streamsByAccount.merge(account, 1, Integer::sum) > maxOfAccount) {
      leave(account);
      throw Problem.of(ErrorCode.RATE_LIMITED, refusals.ofAccount.formatted(maxOfAccount))
          .with("retryAfter", RETRY_SECONDS)
          .hint(refusals.hint);
    }
    try {
      if (!awaitSlot(account)) {
        throw busy();
      }
      try {
        run(new Stream(account, hangUp, out), body);
      } finally {
        slots.end(account);
      }
    } finally {
      leave(account);
    }
  }

  private void run(Stream stream, StreamedBody.Writer body) throws IOException {
    running.add(stream);
    try {
      // Not closed here: closing would give an incomplete body a regular end.
      body.write(stream);
    } finally {
      running.remove(stream);
    }
  }

  /**
   * Waits for a slot; if the account has no stream yet, it ends slow streams of others meanwhile.
   */
  private boolean awaitSlot(UUID account) {
    for (int second = 0; second < WAIT_SECONDS; second++) {
      if (slots.begin(account, Duration.ofSeconds(1))) {
        return true;
      }
      if (running.stream().noneMatch(stream -> stream.account.equals(account))) {
        running.stream()
            .filter(Stream::isSlow)
            .min(Comparator.comparingDouble(Stream::bytesPerSecond))
            .ifPresent(stream -> stream.hangUp.run());
      }
    }
    return false;
  }

  private void leave(UUID account) {
    streamsByAccount.computeIfPresent(account, (_, streams) -> streams == 1 ? null : streams - 1);
  }

  /** What is thrown if this replica has too many streams. */
  Problem busy() {
    return Problem.of(ErrorCode.UNAVAILABLE, refusals.ofAll).hint(refusals.hint);
  }

  /** Measures how fast the client takes what is sent. */
  private final class Stream extends FilterOutputStream {
    private final UUID account;
    private final Runnable hangUp;
    private final long beganAt = nanos.getAsLong();
    private final AtomicLong bytes = new AtomicLong();

    /** The time that was waited for the client, without the wait that has not ended. */
    private final AtomicLong waitedNanos = new AtomicLong();

    private volatile long waitsSince;
    private volatile boolean waitsForClient;

    Stream(UUID account, Runnable hangUp, OutputStream out) {
      super(out);
      this.account = account;
      this.hangUp = hangUp;
    }

    boolean isSlow() {
      return waitingNanos() > MAX_PIECE_NANOS
          || (nanos.getAsLong() - beganAt > MIN_RATE_NANOS
              && waited() > MAX_PIECE_NANOS
              && bytesPerSecond() < MIN_BYTES_PER_SECOND);
    }

    private long waited() {
      return waitedNanos.get() + waitingNanos();
    }

    private long waitingNanos() {
      return waitsForClient ? nanos.getAsLong() - waitsSince : 0;
    }

    /** How much the client takes while it is waited for. */
    double bytesPerSecond() {
      return bytes.get() / Math.max(1e-9, waited() / 1e9);
    }

    @Override
    public void write(byte[] piece, int from, int length) throws IOException {
      long began = nanos.getAsLong();
      waitsSince = began;
      waitsForClient = true;
      out.write(piece, from, length);
      waitsForClient = false;
      waitedNanos.addAndGet(nanos.getAsLong() - began);
      bytes.addAndGet(length);
    }
  }
}
