package dev.cairn.live;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.restassured.RestAssured;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.zip.Deflater;
import java.util.zip.InflaterOutputStream;

/** A WebSocket of which a test writes and reads every frame. */
final class RawSocket implements AutoCloseable {
  static final int CONTINUATION = 0;
  static final int TEXT = 1;
  static final int BINARY = 2;
  static final int CLOSE = 8;
  static final int PING = 9;
  static final int PONG = 10;

  /** The bit of a first byte that says that a message is compressed. */
  static final int COMPRESSED = 0x40;

  private static final int FIN = 0x80;
  private static final byte[] MASK = {1, 2, 3, 4};
  private static final byte[] TAIL = {0, 0, (byte) 0xFF, (byte) 0xFF};
  private static final int TIMEOUT_MILLIS = 60_000;

  private final Socket socket = new Socket();
  private final DataInputStream in;
  private final String extensions;

  /** A frame of the service. */
  record Frame(int type, boolean isCompressed, byte[] payload) {
    String text() throws IOException {
      if (!isCompressed) {
        return new String(payload, StandardCharsets.UTF_8);
      }
      var text = new ByteArrayOutputStream();
      var inflater = new java.util.zip.Inflater(true);
      var out = new InflaterOutputStream(text, inflater);
      out.write(payload);
      out.write(TAIL);
      out.flush();
      inflater.end();
      return text.toString(StandardCharsets.UTF_8);
    }

    /** The code of a frame that closes the connection. */
    int code() {
      return ((payload[0] & 0xFF) << 8) | (payload[1] & 0xFF);
    }
  }

  /**
   * Connects with a ticket.
   *
   * @param headers further header lines, without line ends
   */
  RawSocket(String ticket, String... headers) throws IOException {
    socket.setReceiveBufferSize(16 * 1024);
    socket.setSoTimeout(TIMEOUT_MILLIS);
    socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), RestAssured.port));
    in = new DataInputStream(socket.getInputStream());
    var lines = String.join("", Arrays.stream(headers).map(line -> line + "\r\n").toList());
    write(
        ("GET /live?ticket="
                + ticket
                + " HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n"
                + "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n"
                + lines
                + "\r\n")
            .getBytes(StandardCharsets.ISO_8859_1));
    assertEquals("HTTP/1.1 101 Switching Protocols", line());
    String found = null;
    for (var line = line(); !line.isEmpty(); line = line()) {
      if (line.toLowerCase(java.util.Locale.ROOT).startsWith("sec-websocket-extensions: ")) {
        found = line.substring("sec-websocket-extensions: ".length());
      }
    }
    extensions = found;
  }

  /** The extensions that the service agreed on; null for none. */
  String extensions() {
    return extensions;
  }

  private String line() throws IOException {
    var line = new StringBuilder();
    for (int c = in.read(); c >= 0 && c != '\n'; c = in.read()) {
      if (c != '\r') {
        line.append((char) c);
      }
    }
    return line.toString();
  }

  void write(byte[] bytes) throws IOException {
    socket.getOutputStream().write(bytes);
  }

  /** Sends a whole text message, with ' for ". */
  void send(String text) throws IOException {
    send(TEXT, text.replace('\'', '"').getBytes(StandardCharsets.UTF_8));
  }

  /** Sends a frame that is a whole message. */
  void send(int type, byte[] payload) throws IOException {
    write(frame(FIN | type, payload));
  }

  /** Sends a frame after which more of its message come. */
  void sendPart(int type, byte[] payload) throws IOException {
    write(frame(type, payload));
  }

  /** A frame with a mask, by its first byte. */
  static byte[] frame(int first, byte[] payload) {
    var out = new ByteArrayOutputStream(payload.length + 14);
    out.write(first);
    if (payload.length <= 125) {
      out.write(0x80 | payload.length);
    } else if (payload.length <= 0xFFFF) {
      out.write(0x80 | 126);
      out.write(payload.length >> 8);
      out.write(payload.length);
    } else {
      out.write(0x80 | 127);
      for (int shift = 56; shift >= 0; shift -= 8) {
        out.write((int) ((long) payload.length >> shift));
      }
    }
    out.writeBytes(MASK);
    for (int i = 0; i < payload.length; i++) {
      out.write(payload[i] ^ MASK[i % 4]);
    }
    return out.toByteArray();
  }

  /** What {@code permessage-deflate} makes of a message. */
  static byte[] compressed(byte[] message) {
    try (var deflater = new Deflater(9, true)) {
      deflater.setInput(message);
      var out = new byte[message.length + 100];
      int length = deflater.deflate(out, 0, out.length, Deflater.SYNC_FLUSH);
      return Arrays.copyOf(out, length - TAIL.length);
    }
  }

  /** The next frame. */
  Frame read() throws IOException {
    int first = in.readUnsignedByte();
    int length = in.readUnsignedByte();
    long size = length == 126 ? in.readUnsignedShort() : length == 127 ? in.readLong() : length;
    return new Frame(first & 0xF, (first & COMPRESSED) != 0, in.readNBytes(Math.toIntExact(size)));
  }

  /** Whether something has come. */
  boolean hasInput() throws IOException {
    return in.available() > 0;
  }

  /** The next frame that is no ping; those are answered. */
  Frame next() throws IOException {
    var frame = read();
    while (frame.type() == PING) {
      send(PONG, frame.payload());
      frame = read();
    }
    return frame;
  }

  /** The next message, which is a text. */
  String nextText() throws IOException {
    var frame = next();
    assertEquals(TEXT, frame.type(), () -> new String(frame.payload(), StandardCharsets.UTF_8));
    return frame.text();
  }

  /** The service closes the connection in this way, and nothing comes before. */
  void endsWith(int code, String reason) throws IOException {
    var frame = next();
    assertEquals(CLOSE, frame.type());
    assertEquals(code, frame.code());
    assertEquals(
        reason, new String(frame.payload(), 2, frame.payload().length - 2, StandardCharsets.UTF_8));
    send(CLOSE, Arrays.copyOf(frame.payload(), 2));
    isClosed();
  }

  /** The connection is closed. */
  void isClosed() throws IOException {
    try {
      assertEquals(-1, in.read());
    } catch (java.net.SocketException _) {
      // It was reset, since the service has not read all of what was sent.
    }
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }
}
