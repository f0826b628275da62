package dev.cairn.component;

import static org.hamcrest.Matchers.hasKey;
import static org.hamcrest.Matchers.is;
import static org.hamcrest.Matchers.not;
import static org.hamcrest.Matchers.nullValue;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.cairn.HttpTest;
import dev.cairn.Prepared;
import dev.cairn.egress.ScriptedServer;
import dev.cairn.platform.database.OwnConnections;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.response.ValidatableResponse;
import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * {@code docs/components.md}, Setup call and Methods: servers that misbehave take bounded time and
 * memory, are told of, and hold up nobody else.
 */
@HttpTest
@QuarkusTest
class HostileServerTest {
  /** What two servers can write before they are hung up on: mostly the buffers of sockets. */
  private static final long MAX_SENT = 32L * 1024 * 1024;

  private static final String HEAD = "HTTP/1.1 200 OK\r\nContent-Length: 5000000000\r\n\r\n";

  private CalledComponent component;

  /** What is answered for a server. */
  private record Answers(ValidatableResponse setUp, ValidatableResponse called) {}

  @BeforeEach
  void install() {
    component = new CalledComponent().installed();
  }

  private Answers answers(ScriptedServer.Script script) throws IOException {
    try (var server = ScriptedServer.on("127.0.0.1", script)) {
      return answers("http://127.0.0.1:%d/".formatted(server.port()));
    }
  }

  private Answers answers(String url) {
    component.register(CalledComponent.manifest(), "{'setupUrl':'%s'}".formatted(url));
    component.configured(url);
    var before = installed();
    long start = System.nanoTime();
    var answers = new Answers(component.setUp(), component.call("find", "{}"));
    long took = (System.nanoTime() - start) / 1_000_000_000;
    assertTrue(took < 30, took + " s");
    answers.setUp().statusCode(200);
    answers.called().statusCode(200);
    assertEquals(before, installed());
    assertNothingIsLocked();
    return answers;
  }

  /** What the installation has made; each setup call adds a token. */
  private List<String> installed() {
    return Installs.state(component.repository).stream()
        .filter(row -> !row.contains("\"is_setup\":true"))
        .toList();
  }

  private void assertNothingIsLocked() {
    Prepared.commit(
        component.repository, "{'operation':'add','name':'Sensor','data':{'fields':{}}}");
  }

  private static void assertNoAnswer(Answers answers, String reason) {
    answers
        .setUp()
        .body("ok", is(false))
        .body("reason", is(reason))
        .body("", not(hasKey("status")));
    answers
        .called()
        .body("status", nullValue())
        .body("body", nullValue())
        .body("reason", is(reason));
  }

  private static void assertTruncated(Answers answers) {
    answers
        .setUp()
        .body("ok", is(true))
        .body("status", is(200))
        .body("truncated", is(true))
        .body("", not(hasKey("result")));
    answers.called().body("status", is(200)).body("body", nullValue()).body("truncated", is(true));
  }

  private static ScriptedServer.Script sending(byte[] piece, long pause) {
    return (server, socket) -> {
      server.readRequest(socket);
      ScriptedServer.write(socket, HEAD);
      server.writeForever(socket.getOutputStream(), piece, pause);
    };
  }

  @Test
  void one_that_hangs_is_a_time_out() throws IOException {
    assertNoAnswer(answers((server, socket) -> server.awaitEnd(socket)), "timeout");
  }

  @Test
  void one_that_answers_500_has_failed() throws IOException {
    var answers =
        answers(ScriptedServer.answering("HTTP/1.1 500 No\r\nContent-Length: 4\r\n\r\noops"));
    answers.setUp().body("ok", is(false)).body("status", is(500)).body("", not(hasKey("result")));
    answers.called().body("status", is(500)).body("body", is("oops"));
  }

  @Test
  void one_that_answers_five_gigabytes_is_hung_up_on_after_little_of_it() throws Exception {
    var sent = new AtomicLong();
    var hangUps = new CountDownLatch(2);
    ScriptedServer.Script script =
        (server, socket) -> {
          server.readRequest(socket);
          ScriptedServer.write(socket, HEAD);
          var out = counting(socket.getOutputStream(), sent);
          if (server.writeForever(out, new byte[64 * 1024], 0)) {
            hangUps.countDown();
          }
        };
    try (var server = ScriptedServer.on("127.0.0.1", script)) {
      assertTruncated(answers("http://127.0.0.1:%d/".formatted(server.port())));
      assertTrue(hangUps.await(10, TimeUnit.SECONDS), "both connections are closed");
    }
    assertTrue(sent.get() < MAX_SENT, sent + " bytes");
  }

  private static OutputStream counting(OutputStream out, AtomicLong sent) {
    return new FilterOutputStream(out) {
      @Override
      public void write(byte[] bytes, int offset, int length) throws IOException {
        out.write(bytes, offset, length);
        sent.addAndGet(length);
      }
    };
  }

  @Test
  void one_that_drips_is_cut_off_in_time() throws IOException {
    assertTruncated(answers(sending(new byte[1], 100)));
  }

  @Test
  void a_redirect_to_a_private_address_is_not_followed() throws IOException {
    var answers =
        answers(
            ScriptedServer.answering(
                """
                HTTP/1.1 307 Go\r
                Location: http://169.254.169.254/latest/meta-data/\r
                Content-Length: 0\r
                \r
                """));
    answers.setUp().body("ok", is(false)).body("status", is(307));
    answers.called().body("status", is(307)).body("body", nullValue());
  }

  @Test
  void one_that_closes_or_answers_no_http_is_a_network_error() throws IOException {
    assertNoAnswer(answers((server, socket) -> server.readRequest(socket)), "network_error");
  }

  @Test
  void half_a_head_is_a_network_error() throws IOException {
    assertNoAnswer(answers(ScriptedServer.answering("HTTP/1.1 20")), "network_error");
  }

  @Test
  void one_that_nobody_serves_is_a_network_error() throws IOException {
    int port;
    try (var server = ScriptedServer.on("127.0.0.1", (_, _) -> {})) {
      port = server.port();
    }
    assertNoAnswer(answers("http://127.0.0.1:%d/".formatted(port)), "network_error");
  }

  @Test
  void an_address_that_may_not_be_called_any_more_is_told() {
    component.register(CalledComponent.manifest(), "{'setupUrl':'https://setup.example/'}");
    OwnConnections.database()
        .update(
            "update component set setup_url = 'http://10.0.0.1/' where org_id ="
                + " (select id from organization where name = ?)",
            component.owner);
    component.setUp().statusCode(200).body("ok", is(false)).body("reason", is("target_forbidden"));
  }

  @Test
  void what_is_no_json_is_no_result() throws IOException {
    var answers =
        answers(ScriptedServer.answering("HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\n{a}"));
    answers
        .setUp()
        .body("ok", is(true))
        .body("", not(hasKey("result")))
        .body("", not(hasKey("truncated")));
    answers.called().body("body", is("{a}"));
  }
}
