package dev.cairn.platform.http;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import io.restassured.RestAssured;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketException;
import java.net.UnknownHostException;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.regex.Pattern;

/** Requests byte for byte as they are written, which no client library would send like that. */
public final class RawHttp {
  private static final int TIMEOUT_MILLIS = 20_000;
  private static final int ANY_PORT = 0;
  private static final String LOCAL_HOST = "Host: localhost\r\n";
  private static final Pattern CONTENT_LENGTH =
      Pattern.compile("(?is)\\A.*?\\r\\ncontent-length: (\\d+).*?\\r\\n\\r\\n");

  private RawHttp() {}

  /** Writes the part of a request that may fail because the server has answered and hung up. */
  @FunctionalInterface
  interface Body {
    void write(OutputStream out) throws IOException;
  }

  /**
   * What came back.
   *
   * @param headers by lower-case name; the last one of a name
   */
  public record Answer(int status, Map<String, String> headers, String body) {
    static Answer parse(String text) {
      int end = text.indexOf("\r\n\r\n");
      var lines = text.substring(0, end < 0 ? text.length() : end).split("\r\n", -1);
      var headers = new TreeMap<String, String>();
      for (int i = 1; i < lines.length; i++) {
        int colon = lines[i].indexOf(':');
        headers.put(
            lines[i].substring(0, colon).toLowerCase(Locale.ROOT),
            lines[i].substring(colon + 1).trim());
      }
      return new Answer(
          lines[0].isEmpty() ? 0 : Integer.parseInt(lines[0].split(" ", 3)[1]),
          headers,
          end < 0 ? "" : text.substring(end + 4));
    }

    public String header(String name) {
      return headers.get(name);
    }
  }

  /** A GET whose target stands in the request line as it is. */
  public static Answer get(String target, String... headers) {
    return send("GET " + target, "", headers);
  }

  /** A request with a body that has the right {@code Content-Length}, if any. */
  public static Answer send(String methodAndTarget, String body, String... headers) {
    var bytes = body.getBytes(UTF_8);
    var length = bytes.length == 0 ? "" : "Content-Length: " + bytes.length + "\r\n";
    return exchange(head(methodAndTarget, headers) + length + "\r\n", out -> out.write(bytes));
  }

  /** The same from another local address, for tests of what depends on the caller's. */
  public static Answer sendFrom(
      String address, String methodAndTarget, String body, String... headers)
      throws UnknownHostException {
    return exchange(
        InetAddress.getByName(address), withBody(head(methodAndTarget, headers), body), _ -> {});
  }

  /** The same with another {@code Host}. */
  public static Answer sendTo(String host, String methodAndTarget, String body, String... headers) {
    var head = head(methodAndTarget, headers).replace(LOCAL_HOST, "Host: " + host + "\r\n");
    return exchange(withBody(head, body), _ -> {});
  }

  private static String withBody(String head, String asciiBody) {
    return head + "Content-Length: " + asciiBody.length() + "\r\n\r\n" + asciiBody;
  }

  /** A request with a chunked body of {@code size} bytes. */
  static Answer chunked(String methodAndTarget, int size, String... headers) {
    var chunk = " ".repeat(64 * 1024).getBytes(UTF_8);
    return exchange(
        head(methodAndTarget, headers) + "Transfer-Encoding: chunked\r\n\r\n",
        out -> {
          for (int left = size; left > 0; left -= chunk.length) {
            int length = Math.min(left, chunk.length);
            out.write((Integer.toHexString(length) + "\r\n").getBytes(UTF_8));
            out.write(chunk, 0, length);
            out.write("\r\n".getBytes(UTF_8));
          }
          out.write("0\r\n\r\n".getBytes(UTF_8));
        });
  }

  /** Whatever begins like a request. */
  public static Answer any(String text) {
    return exchange(text, _ -> {});
  }

  /** Everything that the server sends before it closes the connection, in as many answers. */
  public static String untilClosed(String text) {
    try (var socket = new Socket(InetAddress.getLoopbackAddress(), RestAssured.port)) {
      socket.setSoTimeout(TIMEOUT_MILLIS);
      socket.getOutputStream().write(text.getBytes(UTF_8));
      return read(socket.getInputStream(), _ -> false).toString(UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** A request as clients of HTTP/1.0 send it, without any header. */
  static Answer oldest(String methodAndTarget) {
    return exchange(methodAndTarget + " HTTP/1.0\r\n\r\n", _ -> {});
  }

  private static String head(String methodAndTarget, String... headers) {
    var head = new StringBuilder(methodAndTarget).append(" HTTP/1.1\r\n" + LOCAL_HOST);
    for (var header : headers) {
      head.append(header).append("\r\n");
    }
    return head.append("Connection: close\r\n").toString();
  }

  private static Answer exchange(String head, Body body) {
    return exchange(InetAddress.getLoopbackAddress(), head, body);
  }

  private static Answer exchange(InetAddress from, String head, Body body) {
    try (var socket =
        new Socket(InetAddress.getLoopbackAddress(), RestAssured.port, from, ANY_PORT)) {
      socket.setSoTimeout(TIMEOUT_MILLIS);
      var out = socket.getOutputStream();
      out.write(head.getBytes(UTF_8));
      try {
        body.write(out);
      } catch (SocketException e) {
        // The server answered without reading on; its answer is there to be read.
      }
      var answer = read(socket.getInputStream(), RawHttp::isComplete);
      return Answer.parse(answer.toString(UTF_8));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static boolean isComplete(ByteArrayOutputStream bytes) {
    var length = CONTENT_LENGTH.matcher(bytes.toString(ISO_8859_1));
    return length.find() && bytes.size() - length.end() == Integer.parseInt(length.group(1));
  }

  private static ByteArrayOutputStream read(
      InputStream in, Predicate<ByteArrayOutputStream> isEnough) throws IOException {
    var text = new ByteArrayOutputStream();
    try {
      // The server may wait for the rest of the request before it hangs up.
      var buffer = new byte[8 * 1024];
      int count = in.read(buffer);
      while (count >= 0) {
        text.write(buffer, 0, count);
        count = isEnough.test(text) ? -1 : in.read(buffer);
      }
    } catch (SocketException e) {
      // Reset after the answer, since part of the request was never read.
    }
    return text;
  }
}
