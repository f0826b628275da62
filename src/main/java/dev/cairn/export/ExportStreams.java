package dev.cairn.export;

import dev.cairn.access.ReadBounds;
import dev.cairn.access.RepositoryAccess;
import dev.cairn.content.At;
import dev.cairn.model.ErrorCode;
import dev.cairn.model.Problem;
import dev.cairn.platform.CairnConfig;
import dev.cairn.platform.Database;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import jakarta.enterprise.context.ApplicationScoped;
import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.time.Duration;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Exports that are sent while they are read. Each holds a connection and a snapshot as long as the
 * client takes, so there are few at a time, and none lasts for ever; see {@code docs/export.md},
 * The stream.
 */
@ApplicationScoped
public class ExportStreams {
  /** The parts of the connections that all streams, and those of one account, may hold. */
  private static final int SHARE = 4;

  private static final int SHARE_OF_ACCOUNT = 8;
  private static final int RETRY_SECONDS = 10;
  private static final String HINT = "Come again, or use prefer=async.";

  private final Database database;
  private final ExportQueries queries;
  private final ReadBounds bounds;
  private final Duration most;
  private final Duration unread;
  private final Semaphore free;
  private final int ofAccount;

  /** How many each account has at this moment; only of those that have any. */
  private final ConcurrentHashMap<UUID, Integer> ofAccounts = new ConcurrentHashMap<>();

  private final AtomicInteger running = new AtomicInteger();
  private final ExportMetrics metrics;

  /** Told what an answer is of, before its first byte. */
  @FunctionalInterface
  interface Begin {
    /**
     * Takes the sequence numbers of what is shown, and of the newest commit, whose names it has.
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
    this.most = Duration.ofSeconds(config.limits().exportStreamSeconds());
    this.unread = Duration.ofSeconds(config.limits().unreadAnswerSeconds());
    this.free = new Semaphore(Math.max(1, config.database().poolSize() / SHARE));
    this.ofAccount = Math.max(1, config.database().poolSize() / SHARE_OF_ACCOUNT);
    Gauge.builder("cairn.exports.streaming", running, AtomicInteger::get)
        .description("Exports that are streamed in this replica at this moment")
        .register(registry);
  }

  /**
   * Writes an export to a client.
   *
   * @param at the moment to show; the present where it is empty
   * @param begin is told before the first line
   * @throws Problem {@link ErrorCode#RATE_LIMITED} where too many of the account run, {@link
   *     ErrorCode#UNAVAILABLE} where too many run in this replica, both before anything is written,
   *     or when it takes too long
   */
  void write(RepositoryAccess access, Optional<At> at, Begin begin, OutputStream out) {
    var account = access.account().accountId();
    if (ofAccounts.merge(account, 1, Integer::sum) > ofAccount) {
      leave(account);
      throw Problem.of(
              ErrorCode.RATE_LIMITED,
              "At most %d exports are streamed to an account at the same time."
                  .formatted(ofAccount))
          .with("retryAfter", RETRY_SECONDS)
          .hint(HINT);
    }
    try {
      writeAmongAll(access, at, begin, out);
    } finally {
      leave(account);
    }
  }

  private void leave(UUID account) {
    ofAccounts.computeIfPresent(account, (_, streams) -> streams == 1 ? null : streams - 1);
  }

  private void writeAmongAll(
      RepositoryAccess access, Optional<At> at, Begin begin, OutputStream out) {
    if (!free.tryAcquire()) {
      throw busy();
    }
    running.incrementAndGet();
    try {
      // The last piece may wait for its reader as long as any answer may.
      bounds.amongAll(
          () ->
              database.inReadOnlySnapshot(
                  most.plus(unread), () -> write(queries.of(access, at), begin, out)),
          ExportStreams::busy);
    } finally {
      running.decrementAndGet();
      free.release();
    }
  }

  private static Problem busy() {
    return Problem.of(ErrorCode.UNAVAILABLE, "Too many exports are streamed at this moment.")
        .hint(HINT);
  }

  private long write(ExportQueries.AtSeq export, Begin begin, OutputStream out) {
    // Not closed here: that would give a body that is broken off a regular end.
    var bounded = new Bounded(out, () -> begin.begin(export.seq(), export.newest()));
    long count = Lines.write(export.query(), bounded);
    bounded.begin();
    metrics.streamed(bounded.bytes);
    return count;
  }

  /**
   * Ends when its time is over: a snapshot that is held for long keeps the database from tidying.
   */
  private final class Bounded extends FilterOutputStream {
    private final long end = System.nanoTime() + most.toNanos();
    private final Runnable atBegin;
    private boolean begun;
    private long bytes;

    Bounded(OutputStream out, Runnable atBegin) {
      super(out);
      this.atBegin = atBegin;
    }

    /** Tells what the answer is of; not before there is one, since a failure is of nothing. */
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
      out.write(piece, from, length);
      bytes += length;
    }
  }
}
