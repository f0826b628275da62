package dev.cairn.egress;

import static dev.cairn.egress.EgressClientTest.answer;
import static dev.cairn.egress.EgressClientTest.fault;
import static dev.cairn.egress.ScriptedServer.answering;
import static dev.cairn.egress.ScriptedServer.answeringAfter;
import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.cairn.platform.Body;
import dev.cairn.platform.Deadline;
import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What a slow, endless or dead server can cost. */
class EgressLimitsTest {
  private static final Duration SHORT = Duration.ofMillis(400);
  private static final String HEAD = "HTTP/1.1 200 OK\r\nContent-Length: 100000000\r\n\r\n";

  @ParameterizedTest
  @CsvSource({
    "0, 0, false",
    "65536, 65536, false",
    "65537, 65536, true",
    "1048576, 65536, true",
    "1048577, 65536, true"
  })
  void sixty_four_kib_of_an_answer_are_kept(int length, int kept, boolean truncated)
      throws Exception {
    try (var server = ScriptedServer.on("127.0.0.1", answering(length));
        var egress = new Egress("127.0.0.1")) {
      var answer = answer(egress.get(url(server)));
      assertEquals(200, answer.status());
      assertEquals(kept, answer.body().length);
      assertEquals(truncated, answer.isTruncated());
    }
  }

  @ParameterizedTest
  @CsvSource({"1000, 1000, false", "1001, 1000, true"})
  void the_limits_are_the_callers_to_set(int length, int kept, boolean truncated) throws Exception {
    try (var server = ScriptedServer.on("127.0.0.1", answering(length));
        var egress = new Egress("127.0.0.1")) {
      var answer =
          answer(egress.client.call(Egress.request(url(server)).withResponseLimits(1000, 1000)));
      assertEquals(kept, answer.body().length);
      assertEquals(truncated, answer.isTruncated());
    }
  }

  @Test
  void an_endless_answer_is_cut_off_after_one_mib() throws Exception {
    var pieces = new AtomicInteger();
    try (var server =
            ScriptedServer.on(
                "127.0.0.1",
                (it, socket) -> {
                  it.readRequest(socket);
                  ScriptedServer.write(socket, HEAD);
                  var kib = new byte[1024];
                  it.writeForever(counting(socket, pieces), kib, 0);
                });
        var egress = new Egress("127.0.0.1")) {
      var answer = answer(egress.get(url(server)));
      assertEquals(200, answer.status());
      assertEquals(64 * 1024, answer.body().length);
      assertTrue(answer.isTruncated());
      assertTrue(server.sawTheEnd());
      assertTrue(pieces.get() > 1024, pieces::toString);
      assertTrue(pieces.get() < 64 * 1024, pieces::toString); // the sockets hold a few MiB
    }
  }

  @ParameterizedTest
  @CsvSource({"103 Early Hints", "100 Continue"})
  void interim_answers_without_end_are_cut_off(String status) throws Exception {
    try (var server =
            ScriptedServer.on(
                "127.0.0.1",
                (it, socket) -> {
                  it.readRequest(socket);
                  var interim = "HTTP/1.1 " + status + "\r\nLink: a\r\n\r\n";
                  it.writeForever(socket.getOutputStream(), interim.getBytes(US_ASCII), 0);
                });
        var egress = new Egress("127.0.0.1")) {
      long start = System.nanoTime();
      assertEquals(NetworkFault.RESET, fault(egress.get(url(server))));
      assertTrue(server.sawTheEnd());
      assertTrue(System.nanoTime() - start < TimeUnit.SECONDS.toNanos(2));
    }
  }

  @Test
  void some_interim_answers_come_before_an_answer() throws Exception {
    var hint = "HTTP/1.1 103 Early Hints\r\nLink: a\r\n\r\n";
    try (var server =
            ScriptedServer.on(
                "127.0.0.1",
                answering(hint.repeat(16) + "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n"));
        var egress = new Egress("127.0.0.1")) {
      assertEquals(200, answer(egress.get(url(server))).status());
    }
  }

  @Test
  void an_answer_that_drips_is_what_came_when_the_time_is_over() throws Exception {
    try (var server =
            ScriptedServer.on(
                "127.0.0.1",
                (it, socket) -> {
                  it.readRequest(socket);
                  ScriptedServer.write(socket, HEAD);
                  it.writeForever(socket.getOutputStream(), new byte[] {'x'}, 20);
                });
        var egress = new Egress("127.0.0.1")) {
      var begun = System.nanoTime();
      var answer = answer(egress.client.call(Egress.request(url(server)).within(SHORT)));
      assertEquals(200, answer.status());
      assertTrue(answer.isTruncated());
      assertTrue(answer.body().length > 0);
      assertTrue(server.sawTheEnd());
      assertTrue(since(begun) >= SHORT.toMillis(), () -> "after " + since(begun));
    }
  }

  @Test
  void an_answer_that_breaks_off_in_its_body_is_an_answer() throws Exception {
    try (var server = ScriptedServer.on("127.0.0.1", answering(HEAD + "part"));
        var egress = new Egress("127.0.0.1")) {
      var answer = answer(egress.get(url(server)));
      assertEquals(200, answer.status());
      assertEquals(4, answer.body().length);
      assertTrue(answer.isTruncated());
    }
  }

  @Test
  void a_head_that_drips_or_never_comes_is_a_time_out() throws Exception {
    try (var silent = ScriptedServer.on("127.0.0.1", (it, socket) -> it.awaitEnd(socket));
        var dripping =
            ScriptedServer.on(
                "127.0.0.1",
                (it, socket) -> {
                  it.readRequest(socket);
                  ScriptedServer.write(socket, "HTTP/1.1 200 OK\r\nX: ");
                  it.writeForever(socket.getOutputStream(), new byte[] {'x'}, 20);
                });
        var egress = new Egress("127.0.0.1")) {
      for (var server : new ScriptedServer[] {silent, dripping}) {
        var result = egress.client.call(Egress.request(url(server)).within(SHORT));
        assertEquals(NetworkFault.TIMEOUT, fault(result));
        assertTrue(server.sawTheEnd());
      }
    }
  }

  @Test
  void an_endless_head_is_no_answer() throws Exception {
    try (var server =
            ScriptedServer.on(
                "127.0.0.1",
                (it, socket) -> {
                  it.readRequest(socket);
                  ScriptedServer.write(socket, "HTTP/1.1 200 OK\r\nX: ");
                  it.writeForever(socket.getOutputStream(), new byte[] {'x'}, 0);
                });
        var egress = new Egress("127.0.0.1")) {
      assertEquals(NetworkFault.PROTOCOL, fault(egress.get(url(server))));
      assertTrue(server.sawTheEnd());
    }
  }

  @ParameterizedTest
  @CsvSource({"400, 400", "10000, 5000"})
  void a_handshake_that_never_comes_takes_five_seconds_at_most(int within, int takes)
      throws Exception {
    try (var silent = ScriptedServer.on("127.0.0.1", (it, socket) -> it.awaitEnd(socket));
        var egress = new Egress("127.0.0.1")) {
      timesOut(egress, "https://127.0.0.1:" + silent.port() + "/", within, takes);
    }
  }

  @ParameterizedTest
  @CsvSource({"400, 400", "10000, 5000"})
  void a_connection_that_never_comes_takes_five_seconds_at_most(int within, int takes)
      throws Exception {
    var waiting = new ArrayList<Socket>();
    try (var full = new ServerSocket(0, 1, InetAddress.ofLiteral("127.0.0.1"));
        var egress = new Egress("127.0.0.1")) {
      fill(full, waiting);
      timesOut(egress, "http://127.0.0.1:" + full.getLocalPort() + "/", within, takes);
    } finally {
      for (var socket : waiting) {
        socket.close();
      }
    }
  }

  private static void timesOut(Egress egress, String url, int within, int takes) {
    var begun = System.nanoTime();
    var request = Egress.request(url).within(Duration.ofMillis(within));
    assertEquals(NetworkFault.TIMEOUT, fault(egress.client.call(request)));
    assertTrue(since(begun) >= takes - 50, () -> "after " + since(begun));
    assertTrue(since(begun) < takes + 4000, () -> "after " + since(begun));
  }

  @Test
  void the_limits_are_those_of_webhooks_unless_a_caller_sets_others() {
    var call = EgressRequest.get("test", "https://hook.example/");
    assertEquals(Duration.ofSeconds(15), call.timeout());
    assertEquals(1024 * 1024, call.maxResponseBytes());
    assertEquals(64 * 1024, call.maxKeptBytes());
  }

  @Test
  void no_more_calls_are_under_way_at_once_than_there_may_be() throws Exception {
    var release = new CountDownLatch(1);
    try (var server = ScriptedServer.on("127.0.0.1", answeringAfter(release));
        var egress = new Egress(Optional.empty(), 1, "127.0.0.1")) {
      var first = egress.inBackground(url(server));
      server.request();
      assertEquals(
          NetworkFault.BUSY, fault(egress.client.call(Egress.request(url(server)).within(SHORT))));
      release.countDown();
      assertEquals(200, answer(first.get(10, TimeUnit.SECONDS)).status());
      assertEquals(200, answer(egress.get(url(server))).status());
    }
  }

  @Test
  void many_calls_side_by_side_all_get_their_answers() throws Exception {
    try (var server = ScriptedServer.on("127.0.0.1", answering(1000));
        var egress = new Egress(Optional.empty(), 16, "127.0.0.1")) {
      var calls = new ArrayList<FutureTask<EgressResult>>();
      for (int i = 0; i < 1000; i++) {
        calls.add(egress.inBackground(url(server)));
      }
      for (var call : calls) {
        var answer = answer(call.get(30, TimeUnit.SECONDS));
        assertEquals(1000, answer.body().length);
        assertFalse(answer.isTruncated());
      }
    }
  }

  @Test
  void a_stop_lets_calls_end_and_refuses_new_ones() throws Exception {
    var release = new CountDownLatch(1);
    try (var server = ScriptedServer.on("127.0.0.1", answeringAfter(release));
        var egress = new Egress("127.0.0.1")) {
      var call = egress.inBackground(url(server));
      server.request();
      var stop = new FutureTask<>(() -> egress.client.close(Duration.ofSeconds(10)), true);
      Thread.ofVirtual().start(stop);
      var brief = Egress.request(url(server)).within(Duration.ofMillis(50));
      var giveUp = Deadline.in(Duration.ofSeconds(10));
      while (fault(egress.client.call(brief)) != NetworkFault.CLOSED) {
        assertFalse(giveUp.hasPassed());
      }
      release.countDown();
      assertEquals(200, answer(call.get(10, TimeUnit.SECONDS)).status());
      assertTrue(stop.get(10, TimeUnit.SECONDS));
    }
  }

  @Test
  void a_stop_waits_no_longer_than_it_may() throws Exception {
    try (var server = ScriptedServer.on("127.0.0.1", (it, socket) -> awaitEnd(it, socket));
        var egress = new Egress("127.0.0.1")) {
      var call = egress.inBackground(url(server));
      server.request();
      egress.client.close(Duration.ofMillis(100));
      assertEquals(NetworkFault.RESET, fault(call.get(10, TimeUnit.SECONDS)));
    }
  }

  @Test
  void an_interrupted_call_ends_at_once() throws Exception {
    try (var server = ScriptedServer.on("127.0.0.1", (it, socket) -> awaitEnd(it, socket));
        var egress = new Egress("127.0.0.1")) {
      var call = new FutureTask<>(() -> egress.get(url(server)));
      var thread = Thread.ofVirtual().start(call);
      server.request();
      thread.interrupt();
      assertEquals(NetworkFault.CLOSED, fault(call.get(10, TimeUnit.SECONDS)));
      assertTrue(server.sawTheEnd());
    }
  }

  private static void awaitEnd(ScriptedServer server, Socket socket) throws IOException {
    server.readRequest(socket);
    server.awaitEnd(socket);
  }

  /** Connects until the listener, which accepts nothing, takes no more. */
  private static void fill(ServerSocket full, List<Socket> waiting) {
    try {
      for (int i = 0; i < 100; i++) {
        var socket = new Socket();
        waiting.add(socket);
        socket.connect(full.getLocalSocketAddress(), 200);
      }
    } catch (IOException e) {
      return;
    }
    throw new IllegalStateException("the listener takes everything");
  }

  private static OutputStream counting(Socket socket, AtomicInteger pieces) throws IOException {
    var out = socket.getOutputStream();
    return new FilterOutputStream(out) {
      @Override
      public void write(byte[] piece) throws IOException {
        out.write(piece);
        pieces.incrementAndGet();
      }
    };
  }

  private static long since(long begun) {
    return TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - begun);
  }

  private static String url(ScriptedServer server) {
    return "http://127.0.0.1:" + server.port() + "/";
  }

  /** Pieces without end, which count how many were asked for. */
  private static Body endless(AtomicInteger read) {
    return new Body() {
      @Override
      public long length() {
        return Long.MAX_VALUE;
      }

      @Override
      public Pieces read() {
        return () -> {
          read.incrementAndGet();
          return new byte[64 * 1024];
        };
      }

      @Override
      public <T, E extends Exception> T whole(Use<T, E> use) {
        throw new AssertionError("nobody needs all of it");
      }
    };
  }

  @Test
  void a_body_is_read_as_fast_as_the_other_side_takes_it() throws Exception {
    var read = new AtomicInteger();
    var release = new CountDownLatch(1);
    try (var server = ScriptedServer.on("127.0.0.1", (_, _) -> release.await());
        var egress = new Egress("127.0.0.1")) {
      var request = EgressRequest.post("test", url(server), endless(read)).within(SHORT);
      assertEquals(NetworkFault.TIMEOUT, fault(egress.client.call(request)));
      // What the sockets of both sides have taken, which is some megabytes.
      assertTrue(read.get() < 1000, () -> read + " pieces");
      release.countDown();
    }
  }

  @Test
  void an_answer_before_the_end_of_the_body_counts_and_ends_the_sending() throws Exception {
    var read = new AtomicInteger();
    try (var server =
            ScriptedServer.on(
                "127.0.0.1",
                (it, socket) -> {
                  socket.getInputStream().readNBytes(100_000);
                  ScriptedServer.write(
                      socket, "HTTP/1.1 413 Too large\r\nContent-Length: 0\r\n\r\n");
                  it.awaitEnd(socket); // to close with bytes unread would reset the connection
                });
        var egress = new Egress("127.0.0.1")) {
      var answer =
          answer(egress.client.call(EgressRequest.post("test", url(server), endless(read))));
      assertEquals(413, answer.status());
      assertTrue(server.sawTheEnd());
    }
  }
}
