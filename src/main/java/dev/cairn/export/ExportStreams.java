package dev.cairn.export;

import dev.cairn.access.RepositoryAccess;
import dev.cairn.access.limit.ReadBounds;
import dev.cairn.content.At;
import dev.cairn.model.ErrorCode;
import dev.cairn.model.Problem;
import dev.cairn.platform.CairnConfig;
import dev.cairn.platform.database.Database;
import dev.cairn.platform.limiter.FairShare;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import jakarta.enterprise.context.ApplicationScoped;
import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.time.Duration;
import java.util.Comparator;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;

/**
 * Exports that are streamed to clients. Each holds a database connection and a snapshot as long as
 * the client takes, so their number is limited and shared fairly between accounts. Their duration
 * is limited, and a stream with a slow client is ended as soon as an account without a stream
 * waits; see {@code docs/export.md}, The stream.
 */
@ApplicationScoped
public class ExportStreams {
  /** The fractions of the connection pool that all streams, and those of one account, may hold. */
  private static final int POOL_FRACTION = 4;

  private static final int POOL_FRACTION_OF_ACCOUNT = 8;
  private static final int RETRY_SECONDS = 10;

  /** How long a stream waits for a slot; each second it may end a slow stream. */
  private static final int WAIT_SECONDS = 10;

  /**
   * A stream is slow if its client did not read {@link #PROGRESS_BYTES} in {@link #PROGRESS_NANOS}.
   */
  private static final int PROGRESS_BYTES = 256 * 1024;

  private static final long PROGRESS_NANOS = TimeUnit.SECONDS.toNanos(5);
  private static final String HINT = "Try again later, or use prefer=async.";

  private final Database database;
  private final ExportQueries queries;
  private final ReadBounds bounds;
  private final Duration maxDuration;
  private final Duration maxUnreadDuration;
  private final FairShare<UUID> slots;
  private final int maxOfAccount;

  /** The number of streams of each account that has any, including waiting ones. */
  private final ConcurrentHashMap<UUID, Integer> streamsByAccount = new ConcurrentHashMap<>();

  private final Set<BoundedStream> running = ConcurrentHashMap.newKeySet();
  private final ExportMetrics metrics;

  /** Called before the first byte of an answer. */
  @FunctionalInterface
  interface Begin {
    /**
     * Takes the sequence numbers of the exported moment and of the newest commit, whose names are
     * used.
     */
    void begin(long seq, long newest);
  }

  ExportStreams(
      Database database,
      ExportQueries queries,
      ReadBounds bounds,
      CairnConfig config,
      ExportMetrics metrics,
      MeterRegistry registry) {
    this.database = database;
    this.queries = queries;
    this.bounds = bounds;
    this.metrics = metrics;
    this.maxDuration = Duration.ofSeconds(config.limits().exportStreamSeconds());
    this.maxUnreadDuration = Duration.ofSeconds(config.limits().unreadAnswerSeconds());
    this.slots = new FairShare<>(Math.max(1, config.database().poolSize() / POOL_FRACTION));
    this.maxOfAccount = Math.max(1, config.database().poolSize() / POOL_FRACTION_OF_ACCOUNT);
    Gauge.builder("cairn.exports.streaming", running, Set::size)
        .description("Exports that are being streamed in this replica")
        .register(registry);
  }

  /**
   * Writes an export to a client.
   *
   * @param at the moment to export; empty for the current state
   * @param begin called before the first line
   * @param hangUp closes the connection of the client
   * @throws Problem {@link ErrorCode#RATE_LIMITED} if the account has too many streams, {@link
   *     ErrorCode#UNAVAILABLE} if this replica has too many; both before anything is written. Also
   *     {@link ErrorCode#UNAVAILABLE} if the export takes too long
   */
  void write(
      RepositoryAccess access, Optional<At> at, Begin begin, Runnable hangUp, OutputStream out) {
    var account = access.account().accountId();
    if (streamsByAccount.merge(account, 1, Integer::sum) > maxOfAccount) {
      leave(account);
      throw Problem.of(
              ErrorCode.RATE_LIMITED,
              "An account may stream at most %d exports at the same time.".formatted(maxOfAccount))
          .with("retryAfter", RETRY_SECONDS)
          .hint(HINT);
    }
    try {
      if (!awaitSlot(account)) {
        throw busy();
      }
      try {
        // The client may take as long for the last bytes as for any answer.
        bounds.amongAll(
            account,
            () ->
                database.inReadOnlySnapshot(
                    maxDuration.plus(maxUnreadDuration),
                    () -> write(queries.of(access, at), account, begin, hangUp, out)),
            ExportStreams::busy);
      } finally {
        slots.end(account);
      }
    } finally {
      leave(account);
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
            .filter(BoundedStream::isSlow)
            .min(Comparator.comparingLong(stream -> stream.progressAt))
            .ifPresent(stream -> stream.hangUp.run());
      }
    }
    return false;
  }

  private void leave(UUID account) {
    streamsByAccount.computeIfPresent(account, (_, streams) -> streams == 1 ? null : streams - 1);
  }

  private static Problem busy() {
    return Problem.of(ErrorCode.UNAVAILABLE, "Too many exports are being streamed.").hint(HINT);
  }

  private long write(
      ExportQueries.AtSeq export, UUID account, Begin begin, Runnable hangUp, OutputStream out) {
    // Not closed here: closing would give an incomplete body a regular end.
    var stream =
        new BoundedStream(account, () -> begin.begin(export.seq(), export.newest()), hangUp, out);
    running.add(stream);
    try {
      long count = NdjsonWriter.write(export.query(), stream);
      stream.begin();
      metrics.streamed(stream.bytes);
      return count;
    } finally {
      running.remove(stream);
    }
  }

  /**
   * Fails after the maximum duration: a snapshot that is held for long blocks vacuum in the
   * database.
   */
  private final class BoundedStream extends FilterOutputStream {
    private final long end = System.nanoTime() + maxDuration.toNanos();
    private final UUID account;
    private final Runnable atBegin;
    private final Runnable hangUp;
    private boolean begun;
    private long bytes;
    private long bytesAtProgress;

    /** The time at which the client had last read {@link #PROGRESS_BYTES} more. */
    private volatile long progressAt = System.nanoTime();

    private volatile boolean waitsForClient;

    BoundedStream(UUID account, Runnable atBegin, Runnable hangUp, OutputStream out) {
      super(out);
      this.account = account;
      this.atBegin = atBegin;
      this.hangUp = hangUp;
    }

    boolean isSlow() {
      return waitsForClient && System.nanoTime() - progressAt > PROGRESS_NANOS;
    }

    /**
     * Calls {@code atBegin} once, before the first bytes, so that a failure before them sets no
     * headers.
     */
    void begin() {
      if (!begun) {
        begun = true;
        atBegin.run();
      }
    }

    @Override
    public void write(byte[] piece, int from, int length) throws IOException {
      if (System.nanoTime() - end > 0) {
        throw Problem.of(ErrorCode.UNAVAILABLE, "The export took too long.")
            .hint("Use prefer=async.");
      }
      begin();
      waitsForClient = true;
      out.write(piece, from, length);
      waitsForClient = false;
      bytes += length;
      if (bytes - bytesAtProgress >= PROGRESS_BYTES) {
        bytesAtProgress = bytes;
        progressAt = System.nanoTime();
      }
    }
  }
}
