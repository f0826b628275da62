package dev.cairn.stream;

import static dev.cairn.stream.Streams.add;
import static dev.cairn.stream.Streams.lines;
import static dev.cairn.stream.Streams.repository;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.cairn.HttpTest;
import dev.cairn.People;
import dev.cairn.Uncommon;
import io.quarkus.test.junit.QuarkusTest;
import io.quarkus.test.junit.TestProfile;
import java.io.IOException;
import java.net.http.HttpRequest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** docs/streams.md, Limits: with eight places, of which an account has two. */
@HttpTest
@QuarkusTest
@TestProfile(Uncommon.class)
class StreamPlacesTest {
  private static final int PLACES = 8;
  private static final int OF_ACCOUNT = 2;

  /** What a place is waited for at most, with some time for a busy machine. */
  private static final Duration SOON = Duration.ofSeconds(6);

  private String repository;
  private final List<OpenSubmission> open = new ArrayList<>();
  private final AtomicInteger sent = new AtomicInteger();
  private volatile boolean isOver;
  private volatile boolean isClosed;
  private Thread sender;

  @BeforeEach
  void begin() {
    repository = repository();
    isOver = false;
  }

  @AfterEach
  void end() throws Exception {
    isOver = true;
    if (sender != null) {
      sender.join();
    }
    for (var one : open) {
      one.close();
    }
  }

  private String newToken() {
    return People.member(repository.split("/", -1)[3], "editor").token();
  }

  private String path(String stream) {
    return repository + "/streams/" + stream + "/submissions";
  }

  private OpenSubmission open(String token, String stream) throws IOException {
    var one = OpenSubmission.as(token, path(stream), "Idempotency-Key: " + stream);
    open.add(one);
    return one.send(add(stream));
  }

  private Streams.Answer submit(String token, String stream) {
    return Streams.exchange(
        Streams.request(path(stream))
            .setHeader("Authorization", "Bearer " + token)
            .POST(HttpRequest.BodyPublishers.ofString(lines(add(stream))))
            .build());
  }

  private void assertServedSoon(String token, String stream) {
    long begun = System.nanoTime();
    var answer = submit(token, stream);
    var took = Duration.ofNanos(System.nanoTime() - begun);
    assertEquals(200, answer.status(), answer.text());
    assertTrue(took.compareTo(SOON) < 0, took.toString());
  }

  /** Sends a line on each again and again. */
  private void keepSending(List<OpenSubmission> some, int bytes, Duration pause) {
    var line = "x".repeat(bytes) + "\n";
    sender =
        Thread.ofVirtual()
            .start(
                () -> {
                  while (!isOver) {
                    some.forEach(one -> sendUnlessEnded(one, line));
                    sleep(pause);
                  }
                });
  }

  private static void sendUnlessEnded(OpenSubmission one, String line) {
    try {
      one.sendText(line);
    } catch (IOException _) {
      // It was ended for others.
    }
  }

  private static void endUnlessEnded(OpenSubmission one) {
    try {
      one.end();
    } catch (IOException _) {
      // It was ended for others.
    }
  }

  private static void sleep(Duration time) {
    try {
      Thread.sleep(time);
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  @Test
  void three_strangers_with_all_places_they_get_leave_some_to_an_account_that_had_one_just_now()
      throws IOException {
    var regular = newToken();
    for (int i = 0; i < 3; i++) {
      assertServedSoon(regular, "regular" + i);
    }
    for (int i = 0; i < 3; i++) {
      var stranger = newToken();
      for (int j = 0; j < OF_ACCOUNT; j++) {
        open(stranger, "s" + i + j);
      }
    }
    sleep(Duration.ofSeconds(1));
    assertServedSoon(regular, "regular");
  }

  @Test
  void submissions_that_trickle_are_ended_one_by_one_while_an_account_without_one_waits()
      throws IOException {
    for (int i = 0; i < PLACES; i++) {
      open(newToken(), "t" + i).line();
    }
    keepSending(open, 1, Duration.ofSeconds(1));
    var newcomer = newToken();
    sleep(Duration.ofSeconds(6));
    assertServedSoon(newcomer, "newcomer");
    isOver = true;
    joined(sender);
    for (var one : open) {
      endUnlessEnded(one);
    }
    var ended =
        open.stream()
            .map(StreamPlacesTest::endOf)
            .filter(detail -> detail.contains("others wait for its place"))
            .toList();
    assertEquals(1, ended.size());
    assertTrue(ended.getFirst().contains("1,024 bytes"), ended.getFirst());
  }

  /** The detail of the error before the summary; empty if it ends regularly. */
  private static String endOf(OpenSubmission one) {
    try {
      return one.rest().stream()
          .filter(line -> line.has("error") && !line.has("opIndex"))
          .map(line -> line.at("/error/detail").asText())
          .findFirst()
          .orElse("");
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void a_client_that_does_not_read_its_results_is_disconnected_and_one_that_sends_is_not()
      throws IOException {
    for (int i = 0; i < PLACES; i++) {
      open(newToken(), "r" + i).line();
    }
    var unread = open.getFirst();
    var others = open.subList(1, PLACES);
    keepSending(others, 1_000, Duration.ofMillis(200));
    var sending = Thread.ofVirtual().start(() -> sendWithoutReading(unread));
    var newcomer = newToken();
    awaitBlocked();
    sleep(Duration.ofSeconds(4));
    assertServedSoon(newcomer, "newcomer");
    joined(sending);
    isOver = true;
    joined(sender);
    for (var one : others) {
      endUnlessEnded(one);
      assertEquals("", endOf(one));
    }
    assertTrue(isClosed);
  }

  /** Waits until nothing more is read from the client that does not read. */
  private void awaitBlocked() {
    int before;
    do {
      before = sent.get();
      sleep(Duration.ofSeconds(2));
    } while (before == 0 || sent.get() > before);
  }

  private static void joined(Thread thread) {
    try {
      thread.join();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Lines whose results are much longer, until the connection is closed. */
  private void sendWithoutReading(OpenSubmission one) {
    try {
      for (int i = 0; i < 10_000; i++) {
        one.sendText("x\n".repeat(2_000));
        sent.incrementAndGet();
      }
    } catch (IOException _) {
      isClosed = true;
    }
  }
}
