package dev.cairn.live;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.cairn.Prepared;
import dev.cairn.Threads;
import io.restassured.RestAssured;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.Iterator;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** A client of a stream of events. */
public final class Events implements AutoCloseable {
  /** The header of a proxy with the address of its client. */
  static final String FORWARDED_FOR = "X-Forwarded-For";

  private static final ObjectMapper JSON = new ObjectMapper();
  private static final HttpClient CLIENT = HttpClient.newHttpClient();
  private static final Duration LIMIT = Duration.ofSeconds(30);

  private final Stream<String> lines;
  private final Iterator<String> unread;
  private final BlockingQueue<Event> events = new LinkedBlockingQueue<>();

  /** An event; the last one, which says that the connection has ended, has no name. */
  public record Event(String name, String id, JsonNode data) {
    static final Event CLOSED = new Event(null, null, null);
  }

  private Events(Stream<String> lines) {
    this.lines = lines;
    this.unread = lines.iterator();
    Threads.OWN.execute(this::read);
  }

  /** A ticket for a repository, given by its path. */
  static String ticket(String token, String repository) {
    return Prepared.answer(201, token, "POST", repository + "/live/tickets", null)
        .path("ticket")
        .textValue();
  }

  /** Opens a stream, and waits until it is ready. */
  static Events of(String token, String repository) {
    var events = open("ticket=" + ticket(token, repository));
    events.next("ready");
    return events;
  }

  /** The same from another network address without credentials, which a proxy forwards. */
  static Events from(String address, String repository) {
    var events = open("ticket=" + ticket(null, repository), FORWARDED_FOR, address);
    events.next("ready");
    return events;
  }

  /**
   * Opens a stream.
   *
   * @param headers names and values
   */
  static Events open(String query, String... headers) {
    var request =
        HttpRequest.newBuilder(
            URI.create("http://localhost:" + RestAssured.port + "/sse?" + query));
    if (headers.length > 0) {
      request.headers(headers);
    }
    return open(request.build());
  }

  /** Opens a stream that answers any request. */
  public static Events open(HttpRequest request) {
    try {
      var answer = CLIENT.send(request, HttpResponse.BodyHandlers.ofLines());
      assertEquals(200, answer.statusCode());
      assertEquals("text/event-stream", answer.headers().firstValue("Content-Type").orElseThrow());
      return new Events(answer.body());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  private void read() {
    var name = new String[1];
    var id = new String[1];
    var data = new String[1];
    try {
      unread.forEachRemaining(
          line -> {
            if (line.isEmpty()) {
              if (data[0] != null) {
                events.add(new Event(name[0], id[0], json(data[0])));
              }
              name[0] = null;
              data[0] = null;
            } else if (line.startsWith("event: ")) {
              name[0] = line.substring("event: ".length());
            } else if (line.startsWith("id: ")) {
              id[0] = line.substring("id: ".length());
            } else if (line.startsWith("data: ")) {
              data[0] = line.substring("data: ".length());
            }
          });
    } catch (UncheckedIOException _) {
      // The connection was closed, as at the end of the stream.
    } finally {
      events.add(Event.CLOSED);
    }
  }

  private static JsonNode json(String text) {
    try {
      return JSON.readTree(text);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The next event, which has this name. */
  public Event next(String name) {
    var event = next(LIMIT);
    assertNotNull(event, "there is no event");
    assertEquals(name, event.name(), event::toString);
    return event;
  }

  /** The next event is about this commit. */
  Event nextIsCommit(long seq) {
    var event = next("invalidate");
    assertEquals(seq, event.data().get("repoSeq").longValue(), event::toString);
    return event;
  }

  /** The stream ends for this reason, without another event before. */
  void endsFor(String reason) {
    assertEquals(reason, next("end").data().get("reason").textValue());
    isClosed();
  }

  /** The stream ends without another event. */
  public void isClosed() {
    assertNull(next(LIMIT).name());
  }

  private Event next(Duration limit) {
    try {
      return events.poll(limit.toMillis(), TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  @Override
  public void close() {
    lines.close();
  }
}
