package dev.cairn.export;

import dev.cairn.access.ReadBounds;
import dev.cairn.access.RepositoryAccess;
import dev.cairn.content.At;
import dev.cairn.model.ErrorCode;
import dev.cairn.model.Problem;
import dev.cairn.platform.CairnConfig;
import dev.cairn.platform.Database;
import dev.cairn.platform.FairShare;
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
 * Exports that are sent while they are read. Each holds a connection and a snapshot as long as the
 * client takes, so there are few at a time, which accounts share fairly. None lasts for ever, and
 * one whose client reads slowly ends as soon as an account without a stream waits; see {@code
 * docs/export.md}, The stream.
 */
@ApplicationScoped
public class ExportStreams {
  /** The parts of the connections that all streams, and those of one account, may hold. */
  private static final int SHARE = 4;

  private static final int SHARE_OF_ACCOUNT = 8;
  private static final int RETRY_SECONDS = 10;

  /** How long a stream waits for its place, each second ending one that is slow. */
  private static final int WAIT_SECONDS = 10;

  /** A stream is slow if its client did not take that much in that time. */
  private static final int PROGRESS_BYTES = 256 * 1024;

  private static final long PROGRESS_NANOS = TimeUnit.SECONDS.toNanos(5);
  private static final String HINT = "Come again, or use prefer=async.";

  private final Database database;
  private final ExportQueries queries;
  private final ReadBounds bounds;
  private final Duration most;
  private final Duration unread;
  private final FairShare<UUID> places;
  private final int ofAccount;

  /** How many each account has at this moment; only of those that have any. */
  private final ConcurrentHashMap<UUID, Integer> ofAccounts = new ConcurrentHashMap<>();

  private final Set<Bounded> running = ConcurrentHashMap.newKeySet();
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
    this.places = new FairShare<>(Math.max(1, config.database().poolSize() / SHARE));
    this.ofAccount = Math.max(1, config.database().poolSize() / SHARE_OF_ACCOUNT);
    Gauge.builder("cairn.exports.streaming", running, Set::size)
        .description("Exports that are streamed in this replica at this moment")
        .register(registry);
  }

  /**
   * Writes an export to a client.
   *
   * @param at the moment to show; the present where it is empty
   * @param begin is told before the first line
   * @param hangUp closes the connection of the client
   * @throws Problem {@link ErrorCode#RATE_LIMITED} where too many of the account run, {@link
   *     ErrorCode#UNAVAILABLE} where too many run in this replica, both before anything is written,
   *     or when it takes too long
   */
  void write(
      RepositoryAccess access, Optional<At> at, Begin begin, Runnable hangUp, OutputStream out) {
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
      if (!hasPlace(account)) {
        throw busy();
      }
      try {
        // The last piece may wait for its reader as long as any answer may.
        bounds.amongAll(
            account,
            () ->
                database.inReadOnlySnapshot(
                    most.plus(unread),
                    () -> write(queries.of(access, at), account, begin, hangUp, out)),
            ExportStreams::busy);
      } finally {
        places.end(account);
      }
    } finally {
      leave(account);
    }
  }

  /** Waits for a place; an account that has no stream yet ends slow ones of others meanwhile. */
  private boolean hasPlace(UUID account) {
    for (int second = 0; second < WAIT_SECONDS; second++) {
      if (places.begin(account, Duration.ofSeconds(1))) {
        return true;
      }
      if (running.stream().noneMatch(stream -> stream.account.equals(account))) {
        running.stream()
            .filter(Bounded::isSlow)
            .min(Comparator.comparingLong(stream -> stream.progressAt))
            .ifPresent(stream -> stream.hangUp.run());
      }
    }
    return false;
  }

  private void leave(UUID account) {
    ofAccounts.computeIfPresent(account, (_, streams) -> streams == 1 ? null : streams - 1);
  }

  private static Problem busy() {
    return Problem.of(ErrorCode.UNAVAILABLE, "Too many exports are streamed at this moment.")
        .hint(HINT);
  }

  private long write(
      ExportQueries.AtSeq export, UUID account, Begin begin, Runnable hangUp, OutputStream out) {
    // Not closed here: that would give a body that is broken off a regular end.
    var bounded =
        new Bounded(account, () -> begin.begin(export.seq(), export.newest()), hangUp, out);
    running.add(bounded);
    try {
      long count = NdjsonWriter.write(export.query(), bounded);
      bounded.begin();
      metrics.streamed(bounded.bytes);
      return count;
    } finally {
      running.remove(bounded);
    }
  }

  /**
   * Ends when its time is over: a snapshot that is held for long keeps the database from tidying.
   */
  private final class Bounded extends FilterOutputStream {
    private final long end = System.nanoTime() + most.toNanos();
    private final UUID account;
    private final Runnable atBegin;
    private final Runnable hangUp;
    private boolean begun;
    private long bytes;
    private long bytesAtProgress;

    /** When the client last had taken {@link #PROGRESS_BYTES} more. */
    private volatile long progressAt = System.nanoTime();

    private volatile boolean waitsForClient;

    Bounded(UUID account, Runnable atBegin, Runnable hangUp, OutputStream out) {
      super(out);
      this.account = account;
      this.atBegin = atBegin;
      this.hangUp = hangUp;
    }

    boolean isSlow() {
      return waitsForClient && System.nanoTime() - progressAt > PROGRESS_NANOS;
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
