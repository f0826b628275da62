package dev.cairn.export;

import dev.cairn.access.Recheck;
import dev.cairn.access.RepositoryAccess;
import dev.cairn.access.limit.ReadBounds;
import dev.cairn.content.At;
import dev.cairn.model.ErrorCode;
import dev.cairn.model.Problem;
import dev.cairn.platform.CairnConfig;
import dev.cairn.platform.database.Database;
import dev.cairn.platform.memory.StreamedBody;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import jakarta.enterprise.context.ApplicationScoped;
import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.time.Duration;
import java.util.Optional;
import java.util.function.UnaryOperator;

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
  private static final StreamLimiter.Refusals REFUSALS =
      new StreamLimiter.Refusals(
          "An account may stream at most %d exports at the same time.",
          "Too many exports are being streamed.", "Try again later, or use prefer=async.");

  private final Database database;
  private final ExportQueries queries;
  private final ReadBounds bounds;
  private final Recheck recheck;
  private final Duration maxDuration;
  private final Duration maxUnreadDuration;
  private final StreamLimiter limiter;
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
      Recheck recheck,
      CairnConfig config,
      ExportMetrics metrics,
      MeterRegistry registry) {
    this.database = database;
    this.queries = queries;
    this.bounds = bounds;
    this.recheck = recheck;
    this.metrics = metrics;
    this.maxDuration = Duration.ofSeconds(config.limits().exportStreamSeconds());
    this.maxUnreadDuration = Duration.ofSeconds(config.limits().unreadAnswerSeconds());
    int pool = config.database().poolSize();
    this.limiter =
        new StreamLimiter(pool / POOL_FRACTION, pool / POOL_FRACTION_OF_ACCOUNT, REFUSALS);
    Gauge.builder("cairn.exports.streaming", limiter, StreamLimiter::running)
        .description("Exports that are being streamed in this replica")
        .register(registry);
  }

  /**
   * Writes an export to a client.
   *
   * @param at the moment to export; empty for the current state
   * @param begin called before the first line
   * @param hangUp closes the connection of the client
   * @param coding of the content
   * @throws Problem {@link ErrorCode#RATE_LIMITED} if the account has too many streams, {@link
   *     ErrorCode#UNAVAILABLE} if this replica has too many, and what a new request would get if
   *     the right was lost while it waited; all before anything is written. Also {@link
   *     ErrorCode#UNAVAILABLE} if the export takes too long
   */
  void write(
      RepositoryAccess access,
      Optional<At> at,
      Begin begin,
      Runnable hangUp,
      UnaryOperator<StreamedBody.Writer> coding,
      OutputStream out)
      throws IOException {
    var account = access.account().accountId();
    limiter.send(
        account,
        hangUp,
        out,
        coding.apply(
            stream ->
                // The client may take as long for the last bytes as for any answer.
                bounds.amongAll(
                    account,
                    () ->
                        database.inReadOnlySnapshot(
                            maxDuration.plus(maxUnreadDuration),
                            () -> {
                              // It may have waited while the right was taken away.
                              recheck.requireStill(access, ExportJobs.NEEDED);
                              return write(queries.of(access, at), begin, stream);
                            }),
                    limiter::busy)));
  }

  /** What {@link #write} would begin with. */
  void describe(RepositoryAccess access, Optional<At> at, Begin begin) {
    bounds.amongAll(
        access.account().accountId(),
        () ->
            database.inReadOnlySnapshot(
                maxDuration,
                () -> {
                  var export = queries.of(access, at);
                  begin.begin(export.seq(), export.newest());
                  return true;
                }),
        limiter::busy);
  }

  private long write(ExportQueries.AtSeq export, Begin begin, OutputStream out) {
    var stream = new BoundedStream(() -> begin.begin(export.seq(), export.newest()), out);
    long count = NdjsonWriter.write(export.query(), stream);
    stream.begin();
    metrics.streamed(stream.bytes);
    return count;
  }

  /**
   * Fails after the maximum duration: a snapshot that is held for long blocks vacuum in the
   * database.
   */
  private final class BoundedStream extends FilterOutputStream {
    private final long end = System.nanoTime() + maxDuration.toNanos();
    private final Runnable atBegin;
    private boolean begun;
    private long bytes;

    BoundedStream(Runnable atBegin, OutputStream out) {
      super(out);
      this.atBegin = atBegin;
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
      out.write(piece, from, length);
      bytes += length;
    }
  }
}
