package dev.cairn;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.BufferedInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.util.Arrays;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/**
 * One connection of HTTP/1.1 to a replica that repeats nothing by itself, so that a test knows what
 * became of each request.
 */
public final class Wire implements AutoCloseable {
  private static final int TIMEOUT_MILLIS = 60_000;

  private final Socket socket = new Socket();
  private final String token;
  private final InputStream in;

  /** An answer that has come whole. */
  public record Answer(int status, Map<String, String> headers, byte[] body) {
    public String text() {
      return new String(body, UTF_8);
    }

    /** Whether another request may follow on the same connection. */
    boolean stays() {
      return !"close".equalsIgnoreCase(headers.get("connection"));
    }
  }

  /**
   * Connects.
   *
   * @param token what requests are authorized by, or null
   * @throws java.net.ConnectException when nobody listens
   */
  public Wire(int port, String token) throws IOException {
    this.token = token;
    // Small, so that a large answer stays at the server until it is read here.
    socket.setReceiveBufferSize(16 * 1024);
    socket.setSoTimeout(TIMEOUT_MILLIS);
    socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
    in = new BufferedInputStream(socket.getInputStream());
  }

  /** Asks and waits for the answer. */
  Answer get(String path) throws IOException {
    head("GET", path, 0);
    return answer();
  }

  /** Sends JSON and waits for the answer. */
  Answer post(String path, String body) throws IOException {
    var bytes = body.getBytes(UTF_8);
    head("POST", path, bytes.length);
    send(bytes, 0, bytes.length);
    return answer();
  }

  /**
   * Sends what comes before a body, and says how long that will be.
   *
   * @param more further header lines, without line ends
   */
  public void head(String method, String path, int length, String... more) throws IOException {
    var text =
        method
            + " "
            + path
            + " HTTP/1.1\r\nHost: localhost\r\n"
            + (token == null ? "" : "Authorization: Bearer " + token + "\r\n")
            + (length == 0
                ? ""
                : "Content-Type: application/json\r\nContent-Length: " + length + "\r\n")
            + String.join("", Arrays.stream(more).map(line -> line + "\r\n").toList())
            + "\r\n";
    send(text.getBytes(ISO_8859_1), 0, text.length());
  }

  /** Sends some bytes of a body. */
  public void send(byte[] bytes, int from, int count) throws IOException {
    socket.getOutputStream().write(bytes, from, count);
  }

  /** Returns when an answer begins to come, and leaves it where it is. */
  void awaitAnswer() throws IOException {
    in.mark(1);
    if (in.read() < 0) {
      throw new EOFException();
    }
    in.reset();
  }

  /**
   * Waits for an answer.
   *
   * @throws IOException when it does not come, or not whole
   */
  public Answer answer() throws IOException {
    int status = Integer.parseInt(line().split(" ", 3)[1]);
    var headers = new TreeMap<String, String>();
    for (var line = line(); !line.isEmpty(); line = line()) {
      int colon = line.indexOf(':');
      headers.put(
          line.substring(0, colon).toLowerCase(Locale.ROOT), line.substring(colon + 1).trim());
    }
    int length = Integer.parseInt(headers.getOrDefault("content-length", "0"));
    var body = in.readNBytes(length);
    if (body.length < length) {
      throw new EOFException(body.length + " of " + length + " bytes");
    }
    return new Answer(status, headers, body);
  }

  private String line() throws IOException {
    var line = new StringBuilder();
    for (int c = in.read(); c != '\n'; c = in.read()) {
      if (c < 0) {
        throw new EOFException("the connection ended in a line: " + line);
      }
      if (c != '\r') {
        line.append((char) c);
      }
    }
    return line.toString();
  }

  @Override
  public void close() {
    try {
      socket.close();
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }
}
