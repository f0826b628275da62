package dev.cairn.live;

import dev.cairn.access.RepositoryAccess;
import dev.cairn.model.Problem;
import dev.cairn.platform.CairnConfig;
import dev.cairn.platform.database.DatabaseException;
import dev.cairn.platform.memory.StreamedBody;
import io.vertx.ext.web.RoutingContext;
import jakarta.inject.Singleton;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

/**
 * Follows repositories for clients, and writes to each what its commits changed, as fast as it
 * reads that. How a change is said is up to the {@link Form} of the stream. The rules of when
 * access is checked, and when a stream ends, are in {@code docs/live.md}.
 */
@Singleton
public class ChangeStreams {
  /** How many repositories a stream may follow. */
  public static final int MAX_REPOSITORIES = 20;

  /** A client that is further behind is told to read everything anew. */
  static final long MAX_BEHIND = 10_000;

  /** Comments tell proxies and clients that the connection is alive. */
  private static final Duration COMMENT_INTERVAL = Duration.ofSeconds(15);

  private static final Duration CHECK_WAIT = Duration.ofSeconds(1);
  private static final int MAX_PIECE = 32 * 1024;

  private final Watches watches;
  private final AccessChecks checks;
  private final Changes changes;
  private final LiveMetrics metrics;
  private final CairnConfig.Live config;

  /**
   * A repository that a client follows.
   *
   * @param access granted for {@code repo:read}
   * @param selections of which entities the client is told, each by itself
   */
  public record Source(RepositoryAccess access, List<Selection> selections) {}

  /**
   * The connection of a client.
   *
   * @param isGone whether the client has closed it
   * @param onGone takes what is called when it does
   * @param hangUp closes it
   */
  public record Connection(BooleanSupplier isGone, Consumer<Runnable> onGone, Runnable hangUp) {
    /** The connection of a request. */
    public static Connection of(RoutingContext context) {
      return new Connection(
          context.response()::closed,
          wake -> context.addEndHandler(_ -> wake.run()),
          () -> StreamedBody.abort(context.request()));
    }
  }

  /**
   * The form of a stream. Its methods add to the piece that is written next, and are called on one
   * thread. A repository and a selection are named by their places in the sources.
   */
  public interface Form {
    /** How many bytes of memory it takes, about, besides the sources. */
    long bytes();

    /** What is answered instead of a stream if access has ended before anything was written. */
    Problem refusal();

    /** Comes first. */
    void begin(StringBuilder piece);

    /** A commit changed something of a selection: {@code change} has only that. */
    void changed(int repository, int selection, Change change, StringBuilder piece);

    /** Commits are left out, so the client must read everything of a repository anew. */
    void reset(int repository, StringBuilder piece);

    /** A comment; there was nothing to say for a while. */
    void alive(StringBuilder piece);

    /** Comes last, unless the client has gone. */
    void end(Ending reason, StringBuilder piece);
  }

  ChangeStreams(
      Watches watches,
      AccessChecks checks,
      Changes changes,
      LiveMetrics metrics,
      CairnConfig config) {
    this.watches = watches;
    this.checks = checks;
    this.changes = changes;
    this.metrics = metrics;
    this.config = config.live();
  }

  /**
   * Writes what changes from now on, until the client goes or the stream is to end.
   *
   * @param sources at least one, and at most {@link #MAX_REPOSITORIES}
   * @throws Problem {@code RATE_LIMITED} or {@code UNAVAILABLE} if too many clients follow
   *     repositories, or keep too much, or if access cannot be checked; {@link Form#refusal} if it
   *     has ended. All of them before anything is written
   */
  public void write(List<Source> sources, Form form, Connection connection, OutputStream out)
      throws IOException {
    write(
        sources,
        Positions.newest(sources.stream().map(Source::access).toList()),
        form,
        connection,
        out);
  }

  /**
   * The same, beginning at given positions.
   *
   * @param positions of the sources; they advance with what is told
   */
  void write(
      List<Source> sources, Positions positions, Form form, Connection connection, OutputStream out)
      throws IOException {
    try (var watch =
        watches.open(
            sources.stream().map(Source::access).toList(),
            ClientBytes.ofSources(sources) + form.bytes(),
            connection.hangUp())) {
      connection.onGone().accept(watch::wake);
      checks.requireAccess(watch, form::refusal);
      new Stream(sources, positions, form, connection, watch, out).run();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("interrupted while it waits for commits");
    }
  }

  /** One stream, on the thread of its request. */
  private final class Stream {
    private final List<Source> sources;
    private final Positions positions;
    private final Form form;
    private final Connection connection;
    private final Watch watch;
    private final OutputStream out;
    private final StringBuilder piece = new StringBuilder();
    private final Lifetime lifetime = Lifetime.of(config);
    private long writtenAt = System.nanoTime();

    Stream(
        List<Source> sources,
        Positions positions,
        Form form,
        Connection connection,
        Watch watch,
        OutputStream out) {
      this.sources = sources;
      this.positions = positions;
      this.form = form;
      this.connection = connection;
      this.watch = watch;
      this.out = out;
    }

    void run() throws IOException, InterruptedException {
      form.begin(piece);
      writePiece();
      while (!connection.isGone().getAsBoolean()) {
        lifetime.ending().ifPresent(watch::end);
        var ending = watch.ending();
        if (ending.isPresent()) {
          metrics.ended(ending.get());
          form.end(ending.get(), piece);
          writePiece();
          return;
        }
        boolean isAllTold = tell();
        writePiece();
        comment();
        if (isAllTold) {
          watch.await(untilNext());
        }
      }
    }

    /** Adds some of what is new; false if there may be more. */
    private boolean tell() throws InterruptedException {
      boolean isAllTold = true;
      for (int i = 0; i < sources.size() && piece.length() <= MAX_PIECE; i++) {
        if (watch.newest(i) - positions.of(i) > MAX_BEHIND) {
          positions.advance(i, watch.newest(i));
          form.reset(i, piece);
        } else if (positions.of(i) < watch.newest(i)) {
          tellSome(i);
        }
        isAllTold &= positions.of(i) >= watch.newest(i);
      }
      return isAllTold && piece.length() <= MAX_PIECE;
    }

    private void tellSome(int repository) throws InterruptedException {
      var source = sources.get(repository);
      try {
        var next = changes.after(source.access().repoId(), positions.of(repository));
        for (var change : next) {
          var selected =
              source.selections().stream()
                  .map(selection -> changes.selected(change, selection))
                  .toList();
          if (!checks.await(watch, CHECK_WAIT) || watch.ending().isPresent()) {
            return;
          }
          positions.advance(repository, change.seq());
          lifetime.committed();
          tell(repository, selected);
          if (piece.length() > MAX_PIECE || connection.isGone().getAsBoolean()) {
            return;
          }
        }
        if (next.isEmpty()) { // they are not visible yet, or their repository is deleted
          watch.await(CHECK_WAIT);
        }
      } catch (Problem | DatabaseException e) {
        metrics.delayed(e);
        watch.await(CHECK_WAIT);
      }
    }

    /** Tells of a change, by what each selection has of it. */
    private void tell(int repository, List<Optional<Change>> selected) {
      for (int i = 0; i < selected.size(); i++) {
        if (selected.get(i).isPresent()) {
          form.changed(repository, i, selected.get(i).get(), piece);
        }
      }
      selected.stream()
          .flatMap(Optional::stream)
          .findFirst()
          .map(Change::createdAt)
          .ifPresent(metrics::told);
    }

    private void comment() throws IOException {
      if (System.nanoTime() - writtenAt >= COMMENT_INTERVAL.toNanos()) {
        form.alive(piece);
        writePiece();
      }
    }

    private Duration untilNext() {
      var comment = COMMENT_INTERVAL.minusNanos(System.nanoTime() - writtenAt);
      var left = lifetime.left();
      return comment.compareTo(left) < 0 ? comment : left;
    }

    private void writePiece() throws IOException {
      if (piece.isEmpty()) {
        return;
      }
      var bytes = piece.toString().getBytes(StandardCharsets.UTF_8);
      piece.setLength(0);
      out.write(bytes);
      writtenAt = System.nanoTime();
    }
  }
}
