package dev.cairn.client;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.io.InputStream;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.function.Supplier;

/**
 * Server-sent events that continue where they stood after a lost connection: each connection has
 * tickets of its own and the id of the last event.
 */
final class EventStream implements Iterator<LiveEvent>, AutoCloseable {
  private static final int MAX_LINE_BYTES = 4 * 1024 * 1024;

  /** Three of the service's comments. */
  private static final Duration SILENCE = Duration.ofSeconds(45);

  private final Transport transport;
  private final Supplier<List<String>> tickets;
  private final LiveFilter filter;
  private final Reconnects reconnects = new Reconnects();
  private @Nullable String lastId;
  private @Nullable LiveEvent next;
  private @Nullable LineReader lines;
  private volatile @Nullable TimeoutInputStream connection;
  private volatile boolean closed;

  /**
   * A stream, which connects when the first event is needed.
   *
   * @param tickets gets new tickets, always in the same order
   * @param lastId where to continue; null to begin with the next commit
   */
  EventStream(
      Transport transport,
      Supplier<List<String>> tickets,
      LiveFilter filter,
      @Nullable String lastId) {
    this.transport = transport;
    this.tickets = tickets;
    this.filter = filter;
    this.lastId = lastId;
  }

  /** Waits for an event; false after {@link #close}. */
  @Override
  public boolean hasNext() {
    while (next == null && !closed) {
      try {
        if (lines == null) {
          connect();
        }
        next = read();
        if (next == null) {
          disconnect();
          reconnects.pause(Duration.ZERO);
        }
      } catch (IOException e) {
        failed(new ServerNotReachedException("The event stream broke: " + e.getMessage(), e));
      } catch (CairnException | ServerNotReachedException e) {
        failed(e);
      }
    }
    return next != null;
  }

  private void failed(RuntimeException failure) {
    disconnect();
    if (!closed) {
      reconnects.pauseAfter(failure);
    }
  }

  @Override
  public LiveEvent next() {
    if (!hasNext()) {
      throw new NoSuchElementException();
    }
    var event = next;
    next = null;
    return event;
  }

  private void connect() {
    var call =
        Call.get("sse")
            .anonymous()
            .accept("text/event-stream")
            .query("shape", filter.shape())
            .query("match", filter.match())
            .header("Last-Event-ID", lastId);
    tickets.get().forEach(ticket -> call.secretQuery("ticket", ticket));
    HttpResponse<InputStream> response = transport.open(call);
    var reading = new TimeoutInputStream(response.body(), SILENCE);
    connection = reading;
    lines = new LineReader(reading, MAX_LINE_BYTES);
    if (closed) {
      disconnect();
    }
  }

  /** The next event; null if the connection ends. */
  private @Nullable LiveEvent read() throws IOException {
    String type = "message";
    String id = null;
    var data = new StringBuilder();
    while (true) {
      var line = lines == null ? null : lines.next();
      if (line == null) {
        return null;
      }
      if (line.isEmpty()) {
        if (type.equals("end")) {
          return null;
        }
        var newId = id == null ? lastId : id;
        var event = event(type, newId, data.toString());
        // Not before: a connection that breaks within an event continues before that event.
        lastId = newId;
        if (event != null) {
          reconnects.succeeded();
          return event;
        }
        type = "message";
        id = null;
        data.setLength(0);
        continue;
      }
      var value = value(line);
      switch (line.substring(0, Math.max(0, line.indexOf(':')))) {
        case "event" -> type = value;
        case "id" -> id = value;
        case "data" -> data.append(value);
        default -> {
          // A comment, or the time to wait, which the schedule of this client has too.
        }
      }
    }
  }

  private static String value(String line) {
    var value = line.substring(line.indexOf(':') + 1);
    return value.startsWith(" ") ? value.substring(1) : value;
  }

  /** The event; null if it is none that this client knows. */
  private static @Nullable LiveEvent event(String type, @Nullable String id, String data)
      throws IOException {
    if (data.isEmpty() || id == null) {
      return null;
    }
    var json = Json.mapper().readTree(data);
    var topic = json.path("topic").asText();
    long repoSeq = json.path("repoSeq").asLong();
    return switch (type) {
      case "ready" -> new LiveEvent.Ready(id, topic, repoSeq);
      case "reset" -> new LiveEvent.Reset(id, topic, repoSeq);
      case "invalidate" ->
          new LiveEvent.Invalidate(
              id,
              topic,
              repoSeq,
              json.path("commitId").asText(),
              texts(json.path("shapes")),
              texts(json.path("wrefs")),
              json.path("truncated").asBoolean() ? true : null);
      default -> null;
    };
  }

  private static List<String> texts(JsonNode array) {
    return array.valueStream().map(JsonNode::asText).toList();
  }

  private void disconnect() {
    lines = null;
    var open = connection;
    connection = null;
    if (open != null) {
      open.close();
    }
  }

  /** Ends the stream; a thread that waits for an event gets none. */
  @Override
  public void close() {
    closed = true;
    var open = connection;
    if (open != null) {
      open.close();
    }
  }
}
