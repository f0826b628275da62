package dev.cairn.egress;

import static dev.cairn.egress.ScriptedServer.answering;
import static dev.cairn.egress.ScriptedServer.answeringAfter;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.cairn.Eventually;
import dev.cairn.egress.EgressResult.Answer;
import dev.cairn.egress.EgressResult.Forbidden;
import dev.cairn.egress.EgressResult.Unreachable;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Whom the client calls and with what. No call leaves the machine. */
class EgressClientTest {
  private static final String OK = "HTTP/1.1 200 OK\r\nX-One: a\r\nx-one: b\r\n\r\nhello";

  @Test
  void a_listed_address_is_called_and_its_answer_given() throws Exception {
    try (var server = ScriptedServer.on("127.0.0.1", answering(OK));
        var egress = new Egress("127.0.0.1/32")) {
      var answer = answer(egress.get("http://127.0.0.1:" + server.port() + "/a?b=c"));
      assertEquals(200, answer.status());
      assertEquals("hello", text(answer));
      assertEquals(List.of("a", "b"), answer.headers().get("X-ONE"));
      assertEquals(Optional.of("a"), answer.header("x-one"));
      assertFalse(answer.isTruncated());
      var request = server.request();
      assertTrue(request.startsWith("GET /a?b=c HTTP/1.1\r\n"), request);
      assertEquals("127.0.0.1:" + server.port(), sent(request, "host"));
    }
  }

  @Test
  void an_address_that_is_not_listed_is_refused_without_a_connection() throws Exception {
    try (var server = ScriptedServer.on("127.0.0.1", answering(OK));
        var egress = new Egress("0.0.0.0/0", "127.0.0.2/32")) {
      assertInstanceOf(Forbidden.class, egress.get("http://127.0.0.1:" + server.port() + "/"));
      egress.resolving("127.0.0.2", "127.0.0.1");
      assertInstanceOf(
          Unreachable.class, egress.get("http://" + Egress.NAME + ":" + server.port() + "/"));
      assertEquals(0, server.connections());
    }
  }

  @Test
  void a_post_sends_its_body_and_headers_and_keeps_the_name() throws Exception {
    try (var server = ScriptedServer.on("127.0.0.1", answering(OK));
        var egress = new Egress("127.0.0.1").resolving("127.0.0.1")) {
      var url = "http://" + Egress.NAME + ".:" + server.port() + "/hook";
      var body = "{\"a\":\"ä\"}".getBytes(StandardCharsets.UTF_8);
      var request =
          EgressRequest.post("test", url, body)
              .header("Content-Type", "application/json")
              .header("webhook-id", "1");
      answer(egress.client.call(request));
      var received = server.request();
      assertTrue(received.startsWith("POST /hook HTTP/1.1\r\n"), received);
      assertEquals(Egress.NAME + ":" + server.port(), sent(received, "host"));
      assertEquals("application/json", sent(received, "content-type"));
      assertEquals("1", sent(received, "webhook-id"));
      assertEquals("close", sent(received, "connection"));
      assertArrayEquals(
          body,
          received
              .substring(received.indexOf("\r\n\r\n") + 4)
              .getBytes(StandardCharsets.ISO_8859_1));
    }
  }

  @Test
  void a_name_that_turns_to_another_address_is_called_at_the_vetted_one() throws Exception {
    try (var vetted = ScriptedServer.on("127.0.0.2", answering(OK));
        var other = ScriptedServer.on("127.0.0.3", vetted.port(), answering(OK));
        var egress =
            new Egress("127.0.0.2/32")
                .resolving(new String[] {"127.0.0.2"}, new String[] {"127.0.0.3"})) {
      var url = "http://" + Egress.NAME + ":" + vetted.port() + "/";
      assertEquals(200, answer(egress.get(url)).status());
      assertEquals(1, egress.lookUps());
      assertEquals(1, vetted.connections());
      assertInstanceOf(Unreachable.class, egress.get(url));
      assertEquals(0, other.connections());
    }
  }

  @Test
  void a_name_that_was_public_when_stored_is_not_called_once_it_is_loopback() throws Exception {
    try (var egress =
        new Egress().resolving(new String[] {"93.184.216.34"}, new String[] {"127.0.0.1"})) {
      egress.policy.check(UUID.randomUUID(), "/url", "https://" + Egress.NAME + "/");
      assertInstanceOf(Unreachable.class, egress.get("https://" + Egress.NAME + "/"));
    }
  }

  @Test
  void calls_side_by_side_to_one_name_go_each_to_the_address_vetted_for_it() throws Exception {
    var release = new CountDownLatch(1);
    try (var first = ScriptedServer.on("127.0.0.2", answeringAfter(release));
        var second = ScriptedServer.on("127.0.0.3", first.port(), answering(OK));
        var egress =
            new Egress("127.0.0.0/8")
                .resolving(new String[] {"127.0.0.2"}, new String[] {"127.0.0.3"})) {
      var url = "http://" + Egress.NAME + ":" + first.port() + "/";
      var waiting = egress.inBackground(url);
      assertTrue(first.request().startsWith("GET / "));
      assertEquals("hello", text(answer(egress.get(url))));
      release.countDown();
      assertEquals(200, answer(waiting.get(10, TimeUnit.SECONDS)).status());
      assertEquals(1, first.connections());
      assertEquals(1, second.connections());
    }
  }

  @Test
  void the_next_address_is_tried_when_nobody_listens_at_the_first() throws Exception {
    try (var server = ScriptedServer.on("127.0.0.2", answering(OK));
        var egress = new Egress("127.0.0.0/8").resolving("127.0.0.3", "127.0.0.2")) {
      var url = "http://" + Egress.NAME + ":" + server.port() + "/";
      assertEquals(200, answer(egress.get(url)).status());
    }
  }

  @Test
  void ipv6_addresses_are_called_too() throws Exception {
    try (var server = ScriptedServer.on("::1", answering(OK));
        var egress = new Egress("::1/128").resolving("::1")) {
      assertEquals(200, answer(egress.get("http://[::1]:" + server.port() + "/")).status());
      assertEquals("[::1]:" + server.port(), sent(server.request(), "host"));
      var url = "http://" + Egress.NAME + ":" + server.port() + "/";
      assertEquals(200, answer(egress.get(url)).status());
      assertEquals(Egress.NAME + ":" + server.port(), sent(server.request(), "host"));
    }
    try (var egress = new Egress("127.0.0.0/8")) {
      assertInstanceOf(Forbidden.class, egress.get("http://[::1]:9/"));
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {301, 302, 303, 307, 308})
  void redirects_are_answers_and_not_followed(int status) throws Exception {
    try (var other = ScriptedServer.on("127.0.0.1", answering(OK));
        var server =
            ScriptedServer.on(
                "127.0.0.1",
                answering(
                    "HTTP/1.1 %d Elsewhere\r\nLocation: http://127.0.0.1:%d/\r\n\r\n"
                        .formatted(status, other.port())));
        var egress = new Egress("127.0.0.1")) {
      assertEquals(status, answer(egress.get("http://127.0.0.1:" + server.port() + "/")).status());
      assertEquals(0, other.connections());
    }
  }

  @Test
  void failures_are_told_apart() throws Exception {
    try (var egress = new Egress("127.0.0.0/8").resolving("127.0.0.1")) {
      assertEquals(NetworkFault.RESOLUTION, fault(egress.get("https://unknown.example/")));
      try (var server = ScriptedServer.on("127.0.0.1", (it, socket) -> it.readRequest(socket))) {
        assertEquals(
            NetworkFault.RESET, fault(egress.get("http://127.0.0.1:" + server.port() + "/")));
      }
      var unused = new ServerSocket(0, 1, InetAddress.ofLiteral("127.0.0.1"));
      unused.close();
      var nobody = "http://127.0.0.1:" + unused.getLocalPort() + "/";
      assertEquals(NetworkFault.CONNECT, fault(egress.get(nobody)));
      try (var server = ScriptedServer.on("127.0.0.1", answering("SSH-2.0-hello\r\n\r\n\r\n"))) {
        assertEquals(
            NetworkFault.PROTOCOL, fault(egress.get("http://127.0.0.1:" + server.port() + "/")));
      }
    }
  }

  @Test
  void a_reset_connection_is_told_as_such() throws Exception {
    try (var server =
            ScriptedServer.on(
                "127.0.0.1",
                (it, socket) -> {
                  it.readRequest(socket);
                  socket.setSoLinger(true, 0);
                });
        var egress = new Egress("127.0.0.1")) {
      assertEquals(
          NetworkFault.RESET, fault(egress.get("http://127.0.0.1:" + server.port() + "/")));
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "Host",
        "content-length",
        "Transfer-Encoding",
        "connection",
        "Upgrade",
        "Expect",
        "TE",
        "Proxy-Authorization",
        "",
        "a b",
        "a:b",
        "a\r\nb",
        "ä"
      })
  void headers_of_the_connection_and_malformed_ones_are_nobodys_to_send(String name) {
    assertFalse(EgressRequest.maySend(name));
    assertThrows(
        IllegalArgumentException.class, () -> Egress.request("https://a.b/").header(name, "x"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"a\r\nb: c", "a\nb", "a\0", "ä", "\u007f"})
  void header_values_are_visible_ascii(String value) {
    assertFalse(EgressRequest.maySendValue(value));
    assertThrows(
        IllegalArgumentException.class, () -> Egress.request("https://a.b/").header("x", value));
  }

  @Test
  void requests_and_answers_show_nothing_secret_where_they_are_printed() throws Exception {
    var request = Egress.request("https://a.b/secret?secret").header("Authorization", "secret");
    assertFalse(request.toString().contains("secret"), request::toString);
    try (var server = ScriptedServer.on("127.0.0.1", answering(OK));
        var egress = new Egress("127.0.0.1")) {
      var answer = answer(egress.get("http://127.0.0.1:" + server.port() + "/"));
      assertEquals("Answer[200]", answer.toString());
    }
  }

  @RepeatedTest(20)
  void nothing_that_servers_do_gets_into_the_log() throws Exception {
    var log = new LinkedBlockingQueue<String>();
    var handler = new Recorder(log);
    var root = Logger.getLogger("");
    root.addHandler(handler);
    try (var strange = ScriptedServer.on("127.0.0.1", answering("SSH-2.0-secret\r\n\r\n\r\n"));
        var early = ScriptedServer.on("127.0.0.1", (it, socket) -> it.readRequest(socket));
        var unasked =
            ScriptedServer.on("127.0.0.1", (it, socket) -> ScriptedServer.write(socket, "secret"));
        var egress = new Egress("127.0.0.1")) {
      for (var server : List.of(strange, early, unasked)) {
        fault(egress.get("http://127.0.0.1:" + server.port() + "/"));
      }
      fault(egress.get("https://127.0.0.1:" + unasked.port() + "/"));
    } finally {
      root.removeHandler(handler);
    }
    assertEquals(List.of(), List.copyOf(log));
  }

  /** Keeps what is logged. */
  private static final class Recorder extends Handler {
    private final Queue<String> log;

    Recorder(Queue<String> log) {
      this.log = log;
    }

    @Override
    public void publish(LogRecord entry) {
      // What the level of the process admits: while the service runs beside it, that is more.
      if (entry.getLevel().intValue() >= Level.INFO.intValue()
          || entry.getMessage().contains("secret")) {
        log.add(entry.getLevel() + " " + entry.getMessage());
      }
    }

    @Override
    public void flush() {
      // nothing is held back
    }

    @Override
    public void close() {
      // nothing is open
    }
  }

  @Test
  void calls_are_timed_by_purpose_and_outcome() throws Exception {
    try (var server = ScriptedServer.on("127.0.0.1", answering(OK));
        var strange = ScriptedServer.on("127.0.0.1", answering("HTTP/1.1 999 Strange\r\n\r\n"));
        var egress = new Egress("127.0.0.1")) {
      egress.get("http://127.0.0.1:" + server.port() + "/");
      egress.get("http://127.0.0.1:" + strange.port() + "/");
      egress.get("http://127.0.0.2/");
      egress.get("https://unknown.example/");
      for (var outcome : List.of("2xx", "other", "forbidden", "resolution")) {
        var timer =
            egress.metrics.get("cairn.egress.calls").tags("purpose", "test", "outcome", outcome);
        assertEquals(1, timer.timer().count(), outcome);
      }
    }
  }

  static Answer answer(EgressResult result) {
    return assertInstanceOf(Answer.class, result, result::toString);
  }

  static NetworkFault fault(EgressResult result) {
    return assertInstanceOf(Unreachable.class, result, result::toString).fault();
  }

  private static String text(Answer answer) {
    return new String(answer.body(), StandardCharsets.UTF_8);
  }

  private static String sent(String request, String header) {
    return request
        .lines()
        .takeWhile(line -> !line.isEmpty())
        .filter(line -> line.regionMatches(true, 0, header + ":", 0, header.length() + 1))
        .map(line -> line.substring(header.length() + 1).strip())
        .findFirst()
        .orElse(null);
  }

  @Test
  void a_call_holds_up_no_other_while_its_name_is_looked_up() throws Exception {
    try (var server = ScriptedServer.on("127.0.0.1", answering(1));
        var egress = new Egress(Optional.empty(), 1, "127.0.0.1")) {
      var slow = egress.inBackground("https://" + Egress.SLOW + "/");
      Eventually.await("the name is looked up", () -> egress.lookUps() > 0);
      var url = "http://127.0.0.1:" + server.port() + "/";
      assertEquals(200, answer(egress.get(url)).status());
      egress.lookUpsEnd.countDown();
      assertEquals(NetworkFault.RESOLUTION, fault(slow.get(10, TimeUnit.SECONDS)));
    }
  }

  @Test
  void a_stop_refuses_calls_that_wait_for_others() throws Exception {
    var release = new CountDownLatch(1);
    try (var server = ScriptedServer.on("127.0.0.1", answeringAfter(release));
        var egress = new Egress(Optional.empty(), 1, "127.0.0.1")) {
      var url = "http://127.0.0.1:" + server.port() + "/";
      var first = egress.inBackground(url);
      server.request();
      var waiting = egress.inBackground(url);
      var waits = egress.metrics.get("cairn.egress.waiting").gauge();
      Eventually.await("the second call waits", () -> waits.value() > 0);
      var stop = new FutureTask<>(() -> egress.client.close(Duration.ofSeconds(10)), true);
      Thread.ofVirtual().start(stop);
      Eventually.await("the stop waits for the first call, too", () -> waits.value() == 2);
      release.countDown();
      assertEquals(200, answer(first.get(10, TimeUnit.SECONDS)).status());
      assertTrue(stop.get(5, TimeUnit.SECONDS));
      assertEquals(NetworkFault.CLOSED, fault(waiting.get(5, TimeUnit.SECONDS)));
      assertEquals(1, server.connections());
    }
  }
}
