package dev.cairn.live;

import dev.cairn.access.RepositoryAccess;
import dev.cairn.access.token.LiveTickets;
import dev.cairn.model.ErrorCode;
import dev.cairn.model.Problem;
import dev.cairn.model.glob.Glob;
import dev.cairn.platform.CairnConfig;
import dev.cairn.platform.database.DatabaseException;
import jakarta.inject.Singleton;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** Tells clients of commits by streams of events; see {@code docs/live.md}, Event stream. */
@Singleton
class EventStreams {
  /** A client that is further behind is told to read everything anew. */
  static final long MAX_BEHIND = 10_000;

  /** Comments tell proxies and clients that the connection is alive. */
  private static final Duration COMMENT_INTERVAL = Duration.ofSeconds(15);

  private static final Duration CHECK_WAIT = Duration.ofSeconds(1);
  private static final Duration OPENING_WAIT = Duration.ofSeconds(5);
  private static final int MAX_PIECE = 32 * 1024;
  private static final int RETRY_MILLIS = 2_000;
  private static final Pattern SEQ = Pattern.compile("\\d{1,18}");

  private final Watches watches;
  private final AccessChecks checks;
  private final Changes changes;
  private final LiveMetrics metrics;
  private final CairnConfig.Live config;

  /**
   * What a client follows.
   *
   * @param accesses the repositories, each granted for {@code repo:read}
   * @param shape only entities of this shape
   * @param match only entities that this pattern matches
   * @param lastEventId the id of the last event that the client got before
   */
  record Request(
      List<RepositoryAccess> accesses,
      Optional<String> shape,
      Optional<Glob> match,
      Optional<String> lastEventId) {}

  /**
   * The connection of a client.
   *
   * @param isGone whether the client has closed it
   * @param onGone takes what is called when it does
   * @param hangUp closes it
   */
  record Connection(BooleanSupplier isGone, Consumer<Runnable> onGone, Runnable hangUp) {}

  EventStreams(
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
   * Writes events until the client goes, or the stream is to end.
   *
   * @throws Problem as {@link Watches#open}; {@code UNAUTHENTICATED} if access has ended since the
   *     ticket was issued, {@code UNAVAILABLE} if that cannot be found out; all of them before
   *     anything is written
   */
  void write(Request request, Connection connection, OutputStream out) throws IOException {
    try (var watch = watches.open(request.accesses(), connection.hangUp())) {
      connection.onGone().accept(watch::wake);
      if (!checks.await(watch, OPENING_WAIT)) {
        throw Problem.of(ErrorCode.UNAVAILABLE, "Access cannot be checked at this moment.");
      }
      if (watch.ending().filter(Ending.ACCESS_ENDED::equals).isPresent()) {
        throw LiveTickets.invalid();
      }
      new Stream(request, connection, watch, out).run();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("interrupted while it waits for commits");
    }
  }

  /** One stream, on the thread of its request. */
  private final class Stream {
    private final Connection connection;
    private final Watch watch;
    private final OutputStream out;
    private final List<Selection> selections;
    private final List<String> topics;

    /** Up to which commit of each repository the client was told. */
    private final long[] positions;

    /** The positions that the client knows by the last id that was sent. */
    private String knownId = "";

    private final boolean isReset;
    private final StringBuilder piece = new StringBuilder();
    private final Lifetime lifetime = Lifetime.of(config);
    private long writtenAt = System.nanoTime();

    Stream(Request request, Connection connection, Watch watch, OutputStream out) {
      this.connection = connection;
      this.watch = watch;
      this.out = out;
      this.topics = request.accesses().stream().map(a -> "\"repo:" + a.fullName() + "\"").toList();
      this.selections =
          request.accesses().stream()
              .map(
                  a ->
                      new Selection(
                          a.repoId(), a.caller(), a.narrowing(), request.shape(), request.match()))
              .toList();
      var newest = request.accesses().stream().mapToLong(RepositoryAccess::seq).toArray();
      var last = request.lastEventId().flatMap(id -> positions(id, newest));
      this.positions = last.orElse(newest);
      this.isReset = request.lastEventId().isPresent() && last.isEmpty();
    }

    void run() throws IOException, InterruptedException {
      begin();
      while (!connection.isGone().getAsBoolean()) {
        lifetime.ending().ifPresent(watch::end);
        var ending = watch.ending();
        if (ending.isPresent()) {
          end(ending.get());
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

    private void begin() throws IOException {
      piece.append("retry: ").append(RETRY_MILLIS).append("\n\n");
      for (int i = 0; i < positions.length; i++) {
        event("ready", "{\"topic\":%s,\"repoSeq\":%d}".formatted(topics.get(i), watch.newest(i)));
      }
      if (isReset) {
        for (int i = 0; i < positions.length; i++) {
          reset(i);
        }
      }
      writePiece();
    }

    private void event(String name, String data) {
      knownId = id();
      piece
          .append("event: ")
          .append(name)
          .append("\nid: ")
          .append(knownId)
          .append("\ndata: ")
          .append(data)
          .append("\n\n");
    }

    private String id() {
      return Arrays.stream(positions).mapToObj(Long::toString).collect(Collectors.joining(","));
    }

    private void reset(int repository) {
      event(
          "reset",
          "{\"topic\":%s,\"repoSeq\":%d}".formatted(topics.get(repository), positions[repository]));
    }

    private void end(Ending reason) throws IOException {
      metrics.ended(reason);
      // Clients of a replica that stops do not come to the others at the same moment.
      int retry =
          reason == Ending.SHUTDOWN
              ? ThreadLocalRandom.current().nextInt(RETRY_MILLIS)
              : RETRY_MILLIS;
      piece
          .append("retry: ")
          .append(retry)
          .append("\nevent: end\ndata: {\"reason\":\"")
          .append(reason.wire())
          .append("\"}\n\n");
      writePiece();
    }

    /** Adds some of what is new; false if there may be more. */
    private boolean tell() throws InterruptedException {
      boolean isAllTold = true;
      for (int i = 0; i < positions.length && piece.length() <= MAX_PIECE; i++) {
        if (watch.newest(i) - positions[i] > MAX_BEHIND) {
          positions[i] = watch.newest(i);
          reset(i);
        } else if (positions[i] < watch.newest(i)) {
          tellSome(i);
        }
        isAllTold &= positions[i] >= watch.newest(i);
      }
      return isAllTold && piece.length() <= MAX_PIECE;
    }

    private void tellSome(int repository) throws InterruptedException {
      var selection = selections.get(repository);
      try {
        var next = changes.after(selection.repoId(), positions[repository]);
        for (var change : next) {
          var selected = changes.selected(change, selection);
          if (!checks.await(watch, CHECK_WAIT) || watch.ending().isPresent()) {
            return;
          }
          positions[repository] = change.seq();
          lifetime.committed();
          selected.ifPresent(told -> tell(repository, told));
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

    private void tell(int repository, Change change) {
      event("invalidate", "{\"topic\":" + topics.get(repository) + "," + change.json());
      metrics.told(change);
    }

    /** Says that the connection is alive, and how far the client is. */
    private void comment() throws IOException {
      if (System.nanoTime() - writtenAt < COMMENT_INTERVAL.toNanos()) {
        return;
      }
      piece.append(":\n");
      if (!id().equals(knownId)) {
        knownId = id();
        piece.append("id: ").append(knownId).append('\n');
      }
      piece.append('\n');
      writePiece();
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

  /**
   * The positions in an id, if the client can continue from there.
   *
   * @param newest the newest sequence numbers
   */
  private static Optional<long[]> positions(String id, long[] newest) {
    var parts = id.split(",", -1);
    if (parts.length != newest.length
        || !Arrays.stream(parts).allMatch(part -> SEQ.matcher(part).matches())) {
      return Optional.empty();
    }
    var positions = Arrays.stream(parts).mapToLong(Long::parseLong).toArray();
    for (int i = 0; i < newest.length; i++) {
      if (positions[i] > newest[i]) {
        return Optional.empty();
      }
    }
    return Optional.of(positions);
  }
}
