package dev.cairn.platform.memory;

import static dev.cairn.Api.anonymous;
import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.cairn.Api;
import dev.cairn.HttpTest;
import dev.cairn.platform.database.OwnConnections;
import dev.cairn.platform.http.RawHttp;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.RestAssured;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketException;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;

/** Operation: clients that do not read what they asked for. */
@HttpTest
@QuarkusTest
class SlowReadersTest {
  private static final int CLIENTS = 21;
  private static final int ITEM = 1_000_000;
  private static final int ITEMS = 8;

  private final DataSource dataSource = OwnConnections.dataSource();

  /** For 8 MB that are never shortened: a page would be, if there is no room for a long one. */
  private static String requestOfAll() {
    var wrefs =
        IntStream.range(0, ITEMS).mapToObj(i -> "\"S/" + i + "\"").collect(Collectors.joining(","));
    var body = "{\"wrefs\":[" + wrefs + "]}";
    return "POST "
        + Api.repositoryOf(ITEMS, ITEM)
        + "/things/batch HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
        + "Content-Length: "
        + body.length()
        + "\r\n\r\n"
        + body;
  }

  /** Sends the request and reads the first byte of the answer. */
  private static Socket client(String request) throws IOException {
    var socket = new Socket();
    socket.setReceiveBufferSize(4 * 1024);
    socket.setSoTimeout(20_000);
    socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), RestAssured.port));
    socket.getOutputStream().write(request.getBytes(US_ASCII));
    assertEquals('H', socket.getInputStream().read());
    return socket;
  }

  private static long readToTheEnd(Socket socket) throws IOException {
    long count = 0;
    var buffer = new byte[64 * 1024];
    try {
      for (int n = 0; n >= 0; n = socket.getInputStream().read(buffer)) {
        count += n;
      }
    } catch (SocketException e) {
      // Reset: the other way to hang up.
    }
    return count;
  }

  @Test
  void a_client_that_never_reads_holds_no_connection_to_the_database_and_is_disconnected()
      throws Exception {
    var request = requestOfAll();
    List<Socket> clients = new ArrayList<>();
    try {
      for (int i = 0; i < CLIENTS; i++) {
        clients.add(client(request));
      }
      assertEquals(0, busyConnections());
      anonymous().get("/api/repos/demo/world/count").then().statusCode(200);

      // The time-out of the tests is 5 s; connections of other tests come and go meanwhile.
      Thread.sleep(8_000);
      for (var client : clients) {
        assertTrue(readToTheEnd(client) < ITEMS * ITEM, "the rest was sent in spite of all");
      }
    } finally {
      for (var client : clients) {
        client.close();
      }
    }
  }

  @Test
  void a_client_that_sends_a_request_ahead_gets_the_first_answer_whole() {
    var one = requestOfAll();
    long count = RawHttp.untilClosed(one + one).length();
    assertTrue(count >= (long) ITEMS * ITEM && count < 2L * ITEMS * ITEM, count + " characters");
  }

  @Test
  void a_client_that_reads_gets_all_of_it() throws IOException {
    var request = requestOfAll();
    try (var client = client(request)) {
      assertEquals(ITEMS * ITEM, client.getInputStream().readNBytes(ITEMS * ITEM).length);
    }
  }

  @Test
  void http_2_whose_clients_hold_answers_back_is_not_spoken() throws IOException {
    try (var socket = new Socket(InetAddress.getLoopbackAddress(), RestAssured.port)) {
      socket.setSoTimeout(20_000);
      var preface = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\0\0\0\4\0\0\0\0\0";
      socket.getOutputStream().write(preface.getBytes(US_ASCII));
      // A frame of settings would be the first thing to come: its length, and 4.
      var answer = socket.getInputStream().readNBytes(4);
      assertTrue(answer.length < 4 || answer[3] != 4, "it answers in frames");
    }
    var upgrade =
        """
        GET /api/repos/demo/world/count HTTP/1.1
        Host: localhost
        Connection: Upgrade, HTTP2-Settings
        Upgrade: h2c
        HTTP2-Settings: AAMAAABk

        """
            .replace("\n", "\r\n");
    try (var socket = new Socket(InetAddress.getLoopbackAddress(), RestAssured.port)) {
      socket.setSoTimeout(20_000);
      socket.getOutputStream().write(upgrade.getBytes(US_ASCII));
      assertEquals("HTTP/1.1 200", new String(socket.getInputStream().readNBytes(12), US_ASCII));
    }
  }

  private int busyConnections() throws SQLException {
    try (var connection = dataSource.getConnection();
        var statement = connection.createStatement();
        var row =
            statement.executeQuery(
                """
                select count(*) from pg_stat_activity
                where application_name = 'cairn' and state <> 'idle' and pid <> pg_backend_pid()
                """)) {
      row.next();
      return row.getInt(1);
    }
  }
}
