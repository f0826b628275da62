package dev.cairn.platform.memory;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.cairn.Api;
import dev.cairn.Eventually;
import dev.cairn.HttpTest;
import dev.cairn.InProcess;
import dev.cairn.LiveClients;
import dev.cairn.Uncommon;
import io.quarkus.test.junit.QuarkusTest;
import io.quarkus.test.junit.TestProfile;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.net.Socket;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Operation: the heads of requests, and what a chunked body has besides its bytes. */
@HttpTest
@QuarkusTest
@TestProfile(Uncommon.class)
@InProcess("It counts what has arrived in this process.")
class ArrivingHeadsTest extends Arrivals {
  @Test
  void the_head_of_a_request_takes_room_too() throws Exception {
    var socket = connected();
    var head = "GET / HTTP/1.1\r\nHost: localhost\r\nX: " + "x".repeat(30_000);
    socket.getOutputStream().write(head.getBytes(US_ASCII));
    awaitMetric("cairn_requests_arriving_bytes", value -> value >= 30 * 30_000);
    socket.close();
    awaitMetric("cairn_requests_arriving_bytes", value -> value <= OWN);
  }

  @Test
  void the_head_of_a_request_takes_room_until_it_is_answered() throws Exception {
    var socket = connected();
    var head =
        "POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
            + "Content-Length: 3000\r\n"
            + "a:b\r\n".repeat(190)
            + "X: "
            + "x".repeat(30_000)
            + "\r\n\r\n{";
    socket.getOutputStream().write(head.getBytes(US_ASCII));
    awaitMetric("cairn_requests_arriving_bytes", value -> value >= 190 * 200 + 30_000);
    socket.close();
    awaitMetric("cairn_requests_arriving_bytes", value -> value <= OWN);
  }

  @Test
  void the_head_of_a_waiting_read_takes_room_as_long_as_it_waits() throws Exception {
    assertTakesRoomUntilItEnds(connected(), Api.newRepository("public") + "/head?waitFor=99");
  }

  @Test
  void the_head_of_an_event_stream_takes_room_as_long_as_it_is_open() throws Exception {
    String ticket =
        Api.admin()
            .post(Api.newRepository() + "/live/tickets")
            .then()
            .statusCode(201)
            .extract()
            .path("ticket");
    assertTakesRoomUntilItEnds(connected(), "/sse?ticket=" + ticket);
  }

  private static void assertTakesRoomUntilItEnds(Socket socket, String target) throws Exception {
    double before = LiveClients.count();
    var head = "GET " + target + " HTTP/1.1\r\nHost: localhost\r\nX: " + "x".repeat(30_000);
    socket.getOutputStream().write((head + "\r\n\r\n").getBytes(US_ASCII));
    Eventually.await("it waits", () -> LiveClients.count() > before);
    awaitMetric("cairn_requests_arriving_bytes", value -> value >= 30_000 && value <= 30_000 + OWN);
    socket.close();
    awaitMetric("cairn_requests_arriving_bytes", value -> value <= OWN);
  }

  @Test
  void a_path_that_is_routed_once_more_is_one_request_of_its_connection() throws Exception {
    var socket = unfinished("/api/orgs/no;x", null, 1, 0);
    assertTrue(statusLine(socket).startsWith("HTTP/1.1 4"));
    socket.getOutputStream().write(' ');
    var head = "GET / HTTP/1.1\r\nHost: localhost\r\nX: " + "x".repeat(30_000);
    socket.getOutputStream().write(head.getBytes(US_ASCII));
    awaitMetric("cairn_requests_arriving_bytes", value -> value >= 30 * 30_000);
  }

  @Test
  void a_head_that_came_with_another_request_takes_room_too() throws Exception {
    var socket = unfinished("/api/orgs/no", null, 1, 1);
    assertTrue(statusLine(socket).startsWith("HTTP/1.1 4"));
    var head = "GET / HTTP/1.1\r\nHost: localhost\r\n";
    var partial = head + ("X: " + "x".repeat(96) + "\r\n").repeat(300);
    socket.getOutputStream().write((head + "\r\n" + partial).getBytes(US_ASCII));
    awaitMetric("cairn_requests_arriving_bytes", value -> value >= 30 * 29_000);
  }

  @Test
  void what_the_chunks_of_a_body_have_besides_it_is_no_head() throws Exception {
    var socket = connected();
    var out = socket.getOutputStream();
    var head = "POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n";
    for (var part :
        List.of(
            head + "Transfer-Encoding: chunked\r\n\r\n", "000", "1\r\n \r\n", "0", "\r\n\r\n")) {
      out.write(part.getBytes(US_ASCII));
      Thread.sleep(50);
    }
    assertEquals("HTTP/1.1 400 Bad Request", statusLine(socket));
    awaitMetric("cairn_requests_arriving", value -> value == 1);
  }

  @Test
  void the_trailers_of_a_body_take_room_too() throws Exception {
    var socket = connected();
    var head = "POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n";
    var endless = "Transfer-Encoding: chunked\r\n\r\n0\r\n" + "a:\r\n".repeat(5_000);
    socket.getOutputStream().write((head + endless).getBytes(US_ASCII));
    awaitMetric("cairn_requests_arriving_bytes", value -> value >= 30 * 18_000);
  }

  @Test
  void chunked_bodies_one_after_the_other_leave_nothing_counted() throws Exception {
    var socket = connected();
    var in = new BufferedReader(new InputStreamReader(socket.getInputStream(), US_ASCII));
    var head = "POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n";
    var body = "Transfer-Encoding: chunked\r\n\r\n" + "1\r\n \r\n".repeat(20) + "0\r\n\r\n";
    for (int i = 0; i < 100; i++) {
      socket.getOutputStream().write((head + body).getBytes(US_ASCII));
      assertEquals("HTTP/1.1 400 Bad Request", in.readLine());
      int length = 0;
      for (var line = in.readLine(); !line.isEmpty(); line = in.readLine()) {
        if (line.regionMatches(true, 0, "content-length:", 0, 15)) {
          length = Integer.parseInt(line.substring(15).strip());
        }
      }
      assertEquals(length, in.skip(length));
    }
    awaitMetric("cairn_requests_arriving", value -> value == 1);
  }

  @Test
  void an_upload_goes_on_while_strangers_hold_unfinished_heads() throws Exception {
    var body =
        "{\"operations\":[{\"operation\":\"add\",\"kind\":\"shape\",\"name\":\"S\",\"data\":{\"fields\":{}}}]}";
    int announced = body.length() + 40_000;
    var upload = unfinished(Api.newRepository() + "/commits", Api.adminToken(), announced, 1_000);
    double before = metric("cairn_requests_arriving_ended_total");
    var head = "GET / HTTP/1.1\r\nHost: localhost\r\nX: " + "x".repeat(39_000);
    for (int i = 0; i < 160; i++) {
      connected("127.0.1." + (1 + i % 16)).getOutputStream().write(head.getBytes(US_ASCII));
      if (i % 4 == 0) {
        upload.getOutputStream().write(" ".repeat(975).getBytes(US_ASCII));
        Thread.sleep(100);
      }
    }
    upload.getOutputStream().write(body.getBytes(US_ASCII));
    assertEquals("HTTP/1.1 201 Created", statusLine(upload));
    assertTrue(metric("cairn_requests_arriving_ended_total") > before, "the room was not full");
  }
}
