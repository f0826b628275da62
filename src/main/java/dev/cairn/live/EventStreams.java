package dev.cairn.live;

import dev.cairn.access.RepositoryAccess;
import dev.cairn.access.token.LiveTickets;
import dev.cairn.model.Problem;
import dev.cairn.model.glob.Glob;
import jakarta.inject.Singleton;
import java.io.IOException;
import java.io.OutputStream;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;

/** Tells clients of commits by streams of events; see {@code docs/live.md}, Event stream. */
@Singleton
class EventStreams {
  private static final int RETRY_MILLIS = 2_000;

  private final ChangeStreams streams;

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
      Optional<String> lastEventId) {

    private List<ChangeStreams.Source> sources() {
      return accesses.stream()
          .map(a -> new ChangeStreams.Source(a, List.of(Selection.of(a, shape, match))))
          .toList();
    }
  }

  EventStreams(ChangeStreams streams) {
    this.streams = streams;
  }

  /**
   * Writes events until the client goes, or the stream is to end.
   *
   * @throws Problem as {@link ChangeStreams#write}, and {@code UNAUTHENTICATED} if access has ended
   *     since the ticket was issued
   */
  void write(Request request, ChangeStreams.Connection connection, OutputStream out)
      throws IOException {
    var newest = Positions.newest(request.accesses());
    var last = request.lastEventId().flatMap(newest::before);
    boolean isReset = request.lastEventId().isPresent() && last.isEmpty();
    var positions = last.orElse(newest);
    streams.write(
        request.sources(),
        positions,
        new Events(request.accesses(), positions, isReset),
        connection,
        out);
  }

  /** The events of one stream. */
  private static final class Events implements ChangeStreams.Form {
    private final List<String> topics;
    private final long[] newest;
    private final Positions positions;
    private final boolean isReset;

    /** The positions that the client knows by the last id that was sent. */
    private String knownId = "";

    Events(List<RepositoryAccess> accesses, Positions positions, boolean isReset) {
      this.topics = accesses.stream().map(a -> "\"repo:" + a.fullName() + "\"").toList();
      this.newest = accesses.stream().mapToLong(RepositoryAccess::seq).toArray();
      this.positions = positions;
      this.isReset = isReset;
    }

    @Override
    public long bytes() {
      return 0; // a topic for each repository, which its bytes include
    }

    @Override
    public Problem refusal() {
      return LiveTickets.invalid();
    }

    @Override
    public void begin(StringBuilder piece) {
      piece.append("retry: ").append(RETRY_MILLIS).append("\n\n");
      for (int i = 0; i < newest.length; i++) {
        event("ready", state(i, newest[i]), piece);
      }
      if (isReset) {
        for (int i = 0; i < newest.length; i++) {
          reset(i, piece);
        }
      }
    }

    @Override
    public void changed(int repository, int selection, Change change, StringBuilder piece) {
      event("invalidate", "{\"topic\":" + topics.get(repository) + "," + change.json(), piece);
    }

    @Override
    public void reset(int repository, StringBuilder piece) {
      event("reset", state(repository, positions.of(repository)), piece);
    }

    private String state(int repository, long seq) {
      return "{\"topic\":%s,\"repoSeq\":%d}".formatted(topics.get(repository), seq);
    }

    private void event(String name, String data, StringBuilder piece) {
      knownId = positions.id();
      piece
          .append("event: ")
          .append(name)
          .append("\nid: ")
          .append(knownId)
          .append("\ndata: ")
          .append(data)
          .append("\n\n");
    }

    /** Also says how far the client is, if commits were left out since the last event. */
    @Override
    public void alive(StringBuilder piece) {
      piece.append(":\n");
      if (!positions.id().equals(knownId)) {
        knownId = positions.id();
        piece.append("id: ").append(knownId).append('\n');
      }
      piece.append('\n');
    }

    @Override
    public void end(Ending reason, StringBuilder piece) {
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
    }
  }
}
