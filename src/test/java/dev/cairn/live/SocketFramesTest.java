package dev.cairn.live;

import static dev.cairn.Api.adminToken;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.cairn.Api;
import dev.cairn.HttpTest;
import dev.cairn.Prepared;
import io.quarkus.test.junit.QuarkusTest;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

/** docs/live.md, Live queries: frames, their limits, and compression. */
@HttpTest
@QuarkusTest
class SocketFramesTest {
  private static final String OFFER = "Sec-WebSocket-Extensions: permessage-deflate";
  private static final String SUBSCRIBE =
      "{'type':'subscribe','id':'q','query':{'shape':'S'}}".replace('\'', '"');
  private static final int MAX_MESSAGE = 65_536;

  private static String repository;

  private static RawSocket open(String... headers) throws IOException {
    if (repository == null) {
      repository = Api.repositoryOf(20, 100);
    }
    return new RawSocket(Events.ticket(adminToken(), repository), headers);
  }

  /** A message to subscribe, filled up with blanks. */
  private static byte[] message(int length) {
    var text = Arrays.copyOf(SUBSCRIBE.getBytes(StandardCharsets.UTF_8), length);
    Arrays.fill(text, SUBSCRIBE.length(), length, (byte) ' ');
    return text;
  }

  private static void isSnapshot(RawSocket.Frame frame) throws IOException {
    assertEquals(RawSocket.TEXT, frame.type());
    assertTrue(
        frame.text().startsWith("{\"type\":\"snapshot\",\"id\":\"q\",\"items\":["),
        frame::toString);
  }

  @Test
  void a_message_may_have_64_kib() throws IOException {
    try (var socket = open()) {
      socket.send(RawSocket.TEXT, message(MAX_MESSAGE));
      isSnapshot(socket.next());
    }
    try (var socket = open()) {
      socket.send(RawSocket.TEXT, message(MAX_MESSAGE + 1));
      socket.endsWith(1009, "message_too_long");
    }
  }

  @Test
  void a_message_may_come_in_parts() throws IOException {
    var whole = message(MAX_MESSAGE);
    try (var socket = open()) {
      socket.sendPart(RawSocket.TEXT, Arrays.copyOf(whole, 10));
      socket.send(RawSocket.PING, new byte[] {7});
      socket.send(RawSocket.CONTINUATION, Arrays.copyOfRange(whole, 10, whole.length));
      var pong = socket.next();
      assertEquals(RawSocket.PONG, pong.type());
      assertEquals(7, pong.payload()[0]);
      isSnapshot(socket.next());
    }
    try (var socket = open()) {
      socket.sendPart(RawSocket.TEXT, Arrays.copyOf(whole, 10));
      socket.send(RawSocket.CONTINUATION, whole);
      socket.endsWith(1009, "message_too_long");
    }
  }

  @Test
  void what_is_no_text_ends_the_connection() throws IOException {
    try (var socket = open()) {
      socket.send(RawSocket.BINARY, new byte[] {1});
      socket.endsWith(1003, "not_text");
    }
    try (var socket = open()) {
      socket.send(RawSocket.TEXT, new byte[] {'"', (byte) 0xFF, '"'});
      socket.endsWith(1007, "not_text");
    }
  }

  @Test
  void frames_that_break_the_protocol_end_the_connection() throws IOException {
    try (var socket = open()) {
      socket.write(new byte[] {(byte) 0x81, 1, 'x'}); // without a mask
      socket.endsWith(1002, "protocol_error");
    }
    try (var socket = open()) {
      socket.send(RawSocket.CONTINUATION, new byte[] {1});
      socket.endsWith(1002, "protocol_error");
    }
    try (var socket = open()) {
      socket.send(RawSocket.TEXT | RawSocket.COMPRESSED, RawSocket.compressed(message(200)));
      socket.endsWith(1002, "protocol_error");
    }
    try (var socket = open(OFFER)) {
      socket.send(RawSocket.TEXT | 0x20, message(200));
      socket.endsWith(1002, "protocol_error");
    }
    try (var socket = open(OFFER)) {
      socket.send(RawSocket.TEXT | RawSocket.COMPRESSED, new byte[] {-1, -1, -1, -1});
      socket.endsWith(1007, "not_text");
    }
  }

  @Test
  void long_messages_of_the_service_are_compressed_if_the_client_offers_it() throws IOException {
    try (var socket = open(OFFER + "; client_max_window_bits")) {
      assertEquals(
          "permessage-deflate; server_no_context_takeover; client_no_context_takeover",
          socket.extensions());
      socket.send(RawSocket.TEXT | RawSocket.COMPRESSED, RawSocket.compressed(message(500)));
      var snapshot = socket.next();
      assertTrue(snapshot.isCompressed());
      assertTrue(snapshot.payload().length < 500, () -> snapshot.payload().length + " bytes");
      isSnapshot(snapshot);
      Prepared.commit(repository, "{'operation':'add','name':'S/more','data':{'text':'y'}}");
      var update = socket.next();
      assertTrue(update.text().contains("S/more"));
      socket.send("{'type':'subscribe','id':'none','query':{'match':'S/none'}}");
      assertFalse(socket.next().isCompressed());
    }
    try (var socket = open()) {
      assertNull(socket.extensions());
      socket.send(SUBSCRIBE);
      var snapshot = socket.next();
      assertFalse(snapshot.isCompressed());
      isSnapshot(snapshot);
    }
    try (var socket = open("Sec-WebSocket-Extensions: x-webkit-deflate-frame")) {
      assertNull(socket.extensions());
    }
    try (var socket = open(OFFER + "; server_max_window_bits=10")) {
      assertNull(socket.extensions());
    }
    try (var socket = open(OFFER + "; server_max_window_bits=10, permessage-deflate")) {
      assertTrue(socket.extensions().startsWith("permessage-deflate"));
    }
  }

  @Test
  void a_compressed_message_may_have_64_kib_too() throws IOException {
    int compressed = RawSocket.TEXT | RawSocket.COMPRESSED;
    try (var socket = open(OFFER)) {
      socket.send(compressed, RawSocket.compressed(message(MAX_MESSAGE)));
      isSnapshot(socket.next());
    }
    try (var socket = open(OFFER)) {
      socket.send(compressed, RawSocket.compressed(message(MAX_MESSAGE + 1)));
      socket.endsWith(1009, "message_too_long");
    }
    try (var socket = open(OFFER)) {
      socket.send(compressed, RawSocket.compressed(message(50_000_000)));
      socket.endsWith(1009, "message_too_long");
    }
  }

  @Test
  void a_client_may_send_200_frames_at_once() throws IOException {
    try (var socket = open()) {
      for (int i = 0; i < 200; i++) {
        socket.send("{'type':'unsubscribe','id':'none'}");
      }
      for (int i = 0; i < 200; i++) {
        assertTrue(socket.nextText().contains("NOT_FOUND"));
      }
    }
    try (var socket = open()) {
      var ping = RawSocket.frame(0x80 | RawSocket.PING, new byte[0]);
      var pings = new byte[1_000 * ping.length];
      for (int i = 0; i < pings.length; i++) {
        pings[i] = ping[i % ping.length];
      }
      socket.write(pings);
      int pongs = 0;
      var frame = socket.next();
      for (; frame.type() == RawSocket.PONG; frame = socket.next()) {
        pongs++;
      }
      assertEquals(RawSocket.CLOSE, frame.type());
      assertEquals(1008, frame.code());
      assertTrue(pongs >= 200, pongs + " pongs");
    }
  }

  @Test
  void the_client_can_close_the_connection() throws IOException {
    try (var socket = open()) {
      socket.send(RawSocket.CLOSE, new byte[] {0x03, (byte) 0xE8});
      var close = socket.next();
      assertEquals(RawSocket.CLOSE, close.type());
      assertEquals(1000, close.code());
      socket.isClosed();
    }
  }
}
