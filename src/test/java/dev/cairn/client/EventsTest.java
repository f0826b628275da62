package dev.cairn.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** docs/client.md, Live updates: events. */
class EventsTest {
  private static final String FIRST =
      """
      retry: 2000

      event: ready
      id: 7
      data: {"topic":"repo:o/r","repoSeq":7}

      event: invalidate
      id: 8
      data: {"topic":"repo:o/r","repoSeq":8,"commitId":"0123456789abcdef","shapes":["S"],"wrefs":["S/a"],"truncated":true}

      :

      id: 9

      """;

  private static final String SECOND =
      """
      event: ready
      id: 9
      data: {"topic":"repo:o/r","repoSeq":11}

      event: reset
      id: 11
      data: {"topic":"repo:o/r","repoSeq":11}

      event: of-the-future
      id: 12
      data: {"topic":"repo:o/r","repoSeq":12}

      """;

  private static final LiveEvent.Ready READY = new LiveEvent.Ready("7", "repo:o/r", 7);

  private final ScriptedServer server = new ScriptedServer();
  private final CairnClient client = server.client().build();

  @AfterEach
  void close() {
    client.close();
    server.close();
  }

  private ScriptedServer ticket(int number) {
    return server.then(201, "{\"ticket\":\"t" + number + "\",\"expiresAt\":1}");
  }

  private void events(String text) {
    server.then(200, text, "Content-Type", "text/event-stream");
  }

  @Test
  void a_stream_continues_after_the_last_id_with_a_new_ticket() {
    ticket(1);
    events(FIRST);
    ticket(2);
    events(SECOND);
    try (var stream = client.repository("o", "r").streamEvents(new LiveFilter("S", "S/**"), null)) {
      assertEquals(
          List.of(
              READY,
              new LiveEvent.Invalidate(
                  "8", "repo:o/r", 8, "0123456789abcdef", List.of("S"), List.of("S/a"), true),
              new LiveEvent.Ready("9", "repo:o/r", 11),
              new LiveEvent.Reset("11", "repo:o/r", 11)),
          stream.limit(4).toList());
    }
    assertEquals(
        List.of(
            "POST /api/repos/o/r/live/tickets",
            "GET /sse?shape=S&match=S%2F%2A%2A&ticket=t1",
            "POST /api/repos/o/r/live/tickets",
            "GET /sse?shape=S&match=S%2F%2A%2A&ticket=t2"),
        server.routes());
    assertEquals(null, server.requests().get(1).header("Last-Event-ID"));
    // The id that came with a comment counts, too: commits were left out by the filter.
    assertEquals("9", server.requests().get(3).header("Last-Event-ID"));
    assertEquals(null, server.requests().get(3).header("Authorization"));
  }

  /** The service writes the id before the data. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "event: invalidate\nid: 8\n",
        "event: invalidate\nid: 8\ndata: {\"topic\":\"repo:o/r\",\"repoSeq\":8}\n",
        "event: invalidate\nid: 8",
        ":\n\nid: 8\n"
      })
  void an_event_that_was_cut_off_is_asked_for_again(String cut) {
    ticket(1);
    events("event: ready\nid: 7\ndata: {\"topic\":\"repo:o/r\",\"repoSeq\":7}\n\n" + cut);
    ticket(2);
    events(SECOND);
    try (var stream = client.repository("o", "r").streamEvents(LiveFilter.ALL, null)) {
      assertEquals(
          List.of(READY, new LiveEvent.Ready("9", "repo:o/r", 11)), stream.limit(2).toList());
    }
    assertEquals("7", server.requests().getLast().header("Last-Event-ID"));
  }

  @Test
  void a_stream_of_several_repositories_has_a_ticket_of_each() {
    ticket(1);
    ticket(2);
    events(FIRST);
    var repositories = List.of(client.repository("o", "r"), client.repository("o", "s"));
    try (var stream = client.streamEvents(repositories, LiveFilter.ALL, "5,3")) {
      assertEquals(READY, stream.findFirst().orElseThrow());
    }
    assertEquals("GET /sse?ticket=t1&ticket=t2", server.routes().getLast());
    assertEquals("5,3", server.requests().getLast().header("Last-Event-ID"));
  }

  @Test
  void the_end_of_access_ends_the_stream_with_its_reason() {
    ticket(1);
    events(FIRST + "event: end\ndata: {\"reason\":\"access_ended\"}\n\n");
    server.thenProblem(404, "NOT_FOUND");
    try (var stream = client.repository("o", "r").streamEvents(LiveFilter.ALL, null)) {
      var events = stream.iterator();
      events.next();
      events.next();
      var refused = assertThrows(CairnException.class, events::hasNext);
      assertEquals(ErrorCode.NOT_FOUND, refused.code());
    }
  }

  @Test
  void a_busy_service_is_asked_again_once_there_was_a_connection() {
    ticket(1);
    events(FIRST);
    for (int i = 0; i < ScriptedServer.QUICK.maxAttempts(); i++) {
      server.thenProblem(503, "UNAVAILABLE", "Retry-After", "0");
    }
    ticket(2);
    events(SECOND);
    try (var stream = client.repository("o", "r").streamEvents(LiveFilter.ALL, null)) {
      assertEquals(3, stream.limit(3).count());
    }
  }

  @Test
  void a_first_connection_that_fails_is_told_at_once() {
    server.thenProblem(401, "UNAUTHENTICATED");
    try (var stream = client.repository("o", "r").streamEvents(LiveFilter.ALL, null)) {
      assertEquals(401, assertThrows(CairnException.class, () -> stream.findFirst()).status());
    }
  }

  @Test
  void closing_the_stream_ends_the_wait_of_another_thread() throws Exception {
    ticket(1);
    var connected = new CountDownLatch(1);
    var done = new CountDownLatch(1);
    server.then(
        exchange -> {
          exchange.sendResponseHeaders(200, 0);
          exchange.getResponseBody().write(FIRST.getBytes(StandardCharsets.UTF_8));
          exchange.getResponseBody().flush();
          await(done);
        });
    var stream = client.repository("o", "r").streamEvents(LiveFilter.ALL, null);
    var seen = new ArrayList<LiveEvent>();
    var reader =
        Thread.startVirtualThread(
            () ->
                stream.forEach(
                    event -> {
                      seen.add(event);
                      if (seen.size() == 2) {
                        connected.countDown();
                      }
                    }));
    assertTrue(connected.await(10, TimeUnit.SECONDS));
    stream.close();
    assertTrue(reader.join(Duration.ofSeconds(5)));
    assertEquals(2, seen.size());
    done.countDown();
  }

  private static void await(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** One byte comes, and then nothing. */
  private static final class Silent extends InputStream {
    private final CountDownLatch closed = new CountDownLatch(1);
    private boolean hasBegun;

    @Override
    public int read() throws IOException {
      if (!hasBegun) {
        hasBegun = true;
        return 'a';
      }
      await(closed);
      throw new IOException("closed");
    }

    @Override
    public int read(byte[] bytes, int offset, int length) throws IOException {
      bytes[offset] = (byte) read();
      return 1;
    }

    @Override
    public void close() {
      closed.countDown();
    }
  }

  @Test
  void an_input_from_which_nothing_comes_is_closed_after_a_time() throws Exception {
    var silent = new Silent();
    try (var reading = new TimeoutInputStream(silent, Duration.ofMillis(300))) {
      assertEquals('a', reading.read());
      assertFalse(
          silent.closed.await(900, TimeUnit.MILLISECONDS), "only the time of a read counts");
      var failed = assertThrows(IOException.class, reading::read);
      assertTrue(failed.getMessage().startsWith("nothing came for "), failed.getMessage());
    }
  }

  @Test
  void lines_end_as_any_system_ends_them_and_have_a_longest_length() throws IOException {
    try (var lines = new LineReader(input("ä\r\n\nabcde\nabcdef\n"), 5)) {
      assertEquals("ä", lines.next());
      assertEquals("", lines.next());
      assertEquals("abcde", lines.next());
      assertThrows(IOException.class, lines::next);
    }
    try (var lines = new LineReader(input("a\nb"), 5)) {
      assertEquals("a", lines.next());
      assertEquals(null, lines.next(), "a line that was cut off");
      assertEquals(null, lines.next());
    }
  }

  private static InputStream input(String text) {
    return new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8));
  }
}
