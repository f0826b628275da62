import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.regex.Pattern;

/** A connection on which anything can be sent: unfinished, slow, and malformed requests. */
final class RawConnection implements AutoCloseable {
  private static final Pattern STATUS_LINE = Pattern.compile("HTTP/1\\.[01] (\\d{3})");

  private final Socket socket = new Socket();

  RawConnection(Target service, InetAddress from) throws IOException {
    socket.bind(new InetSocketAddress(from, 0));
    socket.connect(
        new InetSocketAddress(InetAddress.getByName("127.0.0.1"), service.port()), 30_000);
  }

  /** The head of a request with a body of JSON; a token of null sends none. */
  static String head(String method, String target, String token, int bodyBytes) {
    return method
        + " "
        + target
        + " HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
        + "Accept: application/json, text/event-stream\r\n"
        + (token == null ? "" : "Authorization: Bearer " + token + "\r\n")
        + "Content-Length: "
        + bodyBytes
        + "\r\n\r\n";
  }

  void send(String text) throws IOException {
    send(text.getBytes(StandardCharsets.ISO_8859_1), text.length());
  }

  void send(byte[] bytes, int length) throws IOException {
    socket.getOutputStream().write(bytes, 0, length);
  }

  /** The status of the answer; 0 if the connection was closed without one, -1 if none came. */
  int status(Duration patience) throws IOException {
    socket.setSoTimeout((int) Math.max(1, patience.toMillis()));
    var line = new StringBuilder();
    try {
      for (int c = socket.getInputStream().read(); c >= 0 && c != '\n'; c = read()) {
        line.append((char) c);
      }
    } catch (SocketTimeoutException e) {
      return -1;
    }
    return line.isEmpty() ? 0 : Integer.parseInt(line.substring(9, 12));
  }

  /**
   * The status of an answer whose length is announced, after which the connection takes the next
   * request; -1 if none came.
   *
   * @throws IOException if the connection was closed
   */
  int statusOfWholeAnswer(Duration patience) throws IOException {
    int status = status(patience);
    if (status == 0) {
      throw new IOException("closed without an answer");
    }
    if (status < 0) {
      return status;
    }
    int length = 0;
    for (var line = line(); !line.isBlank(); line = line()) {
      if (line.regionMatches(true, 0, "content-length:", 0, 15)) {
        length = Integer.parseInt(line.substring(15).strip());
      }
    }
    socket.getInputStream().skipNBytes(length);
    return status;
  }

  private String line() throws IOException {
    var line = new StringBuilder();
    for (int c = read(); c >= 0 && c != '\n'; c = read()) {
      line.append((char) c);
    }
    return line.toString();
  }

  private int read() throws IOException {
    return socket.getInputStream().read();
  }

  /**
   * The statuses of the answers that come, until there is this number of them, the connection is
   * closed, or nothing more comes for this time.
   */
  List<String> statuses(int count, Duration patience) throws IOException {
    socket.setSoTimeout((int) patience.toMillis());
    var received = new ByteArrayOutputStream();
    var buffer = new byte[8192];
    var statuses = List.<String>of();
    try {
      while (statuses.size() < count) {
        int length = socket.getInputStream().read(buffer);
        if (length < 0) {
          break;
        }
        received.write(buffer, 0, length);
        statuses = statuses(received.toString(StandardCharsets.ISO_8859_1));
      }
    } catch (SocketTimeoutException | SocketException e) {
      // Nothing more comes; a connection that was closed may have been reset.
    }
    return statuses;
  }

  private static List<String> statuses(String answers) {
    return STATUS_LINE.matcher(answers).results().map(line -> line.group(1)).toList();
  }

  /** Reads and drops all answers until the connection ends. */
  void dropAnswers() {
    var buffer = new byte[64 * 1024];
    try {
      while (socket.getInputStream().read(buffer) >= 0) {
        Thread.yield();
      }
    } catch (IOException e) {
      // It was closed.
    }
  }

  /** Reads one byte of the answer. */
  void readByte() throws IOException {
    if (read() < 0) {
      throw new IOException("closed");
    }
  }

  /** The rest of the answer; the request must have said {@code Connection: close}. */
  void readToEnd() throws IOException {
    socket.getInputStream().readAllBytes();
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }
}
