package dev.cairn.client;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.ByteArrayOutputStream;
import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpHeaders;
import java.net.http.HttpRequest;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.SSLSocketFactory;

/**
 * A POST over HTTP/1.1 whose answer is read while its body is still being written. The client of
 * the JDK gives an answer only after the whole body, so a stream of operations and results would
 * stop as soon as the buffers between both sides are full.
 *
 * <p>The body is written by a thread of its own. It is written only as fast as the service reads,
 * and the service reads only as fast as results are read here, so memory does not grow.
 */
final class DuplexExchange implements Closeable {
  private static final int MAX_HEAD_BYTES = 64 * 1024;
  private static final int BUFFER_BYTES = 64 * 1024;

  private final Socket socket;
  private final Thread writer;
  private int status;
  private final Map<String, String> headers = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
  private InputStream content;
  private volatile Exception writeFailure;

  private DuplexExchange(Socket socket, StreamBody body) {
    this.socket = socket;
    this.writer = Thread.ofVirtual().name("cairn-client-body").unstarted(() -> write(body));
  }

  /**
   * Connects, begins to send the body, and waits for the head of the answer.
   *
   * @param http has the time for connecting, and the certificates that are trusted
   * @param request its URL and headers; its body is not used
   * @param silence how long the service may send nothing
   * @throws IOException if the service cannot be reached, or breaks off
   */
  static DuplexExchange post(
      HttpClient http, HttpRequest request, Duration silence, StreamBody body) throws IOException {
    var connecting = http.connectTimeout().orElse(Duration.ZERO);
    var socket = connect(request.uri(), http.sslContext(), connecting);
    var exchange = new DuplexExchange(socket, body);
    try {
      socket.setSoTimeout(Math.toIntExact(silence.toMillis()));
      exchange.begin(request);
      return exchange;
    } catch (IOException e) {
      exchange.close();
      throw exchange.causeOf(e);
    }
  }

  private static Socket connect(URI uri, SSLContext tls, Duration timeout) throws IOException {
    boolean isSecure = "https".equals(uri.getScheme());
    int port = uri.getPort() >= 0 ? uri.getPort() : isSecure ? 443 : 80;
    var host = uri.getHost().replaceAll("^\\[|]$", "");
    var plain = new Socket();
    try {
      plain.setTcpNoDelay(true);
      plain.connect(new InetSocketAddress(host, port), Math.toIntExact(timeout.toMillis()));
      return isSecure ? secure(plain, host, port, tls.getSocketFactory()) : plain;
    } catch (IOException e) {
      plain.close();
      throw e;
    }
  }

  private static Socket secure(Socket plain, String host, int port, SSLSocketFactory factory)
      throws IOException {
    var socket = (SSLSocket) factory.createSocket(plain, host, port, true);
    var parameters = socket.getSSLParameters();
    parameters.setEndpointIdentificationAlgorithm("HTTPS");
    socket.setSSLParameters(parameters);
    socket.startHandshake();
    return socket;
  }

  private void begin(HttpRequest request) throws IOException {
    var uri = request.uri();
    var head = new StringBuilder("POST ").append(uri.getRawPath());
    if (uri.getRawQuery() != null) {
      head.append('?').append(uri.getRawQuery());
    }
    head.append(" HTTP/1.1\r\nHost: ").append(uri.getRawAuthority());
    head.append("\r\nTransfer-Encoding: chunked\r\nConnection: close\r\n");
    request
        .headers()
        .map()
        .forEach((name, values) -> values.forEach(value -> head.append(line(name, value))));
    socket.getOutputStream().write(head.append("\r\n").toString().getBytes(ISO_8859_1));
    writer.start();
    var in = new BufferedInputStream(socket.getInputStream(), BUFFER_BYTES);
    do {
      readHead(in);
    } while (status < 200); // an informational answer
    content = content(in);
  }

  private static String line(String name, String value) {
    if (value.chars().anyMatch(c -> c < ' ' || c > '~')) {
      throw new IllegalArgumentException("The header " + name + " has characters beyond ASCII.");
    }
    return name + ": " + value + "\r\n";
  }

  private void readHead(InputStream in) throws IOException {
    headers.clear();
    var first = readLine(in);
    var parts = first.split(" ", 3);
    if (parts.length < 2 || !parts[0].startsWith("HTTP/1.") || !parts[1].matches("[1-5][0-9]{2}")) {
      throw new IOException("The answer is not HTTP/1.1.");
    }
    status = Integer.parseInt(parts[1]);
    int bytes = first.length();
    for (var line = readLine(in); !line.isEmpty(); line = readLine(in)) {
      bytes += line.length();
      if (bytes > MAX_HEAD_BYTES) {
        throw new IOException("The head of the answer is too long.");
      }
      int colon = line.indexOf(':');
      if (colon > 0) {
        headers.merge(
            line.substring(0, colon), line.substring(colon + 1).strip(), (a, b) -> a + ", " + b);
      }
    }
  }

  private static String readLine(InputStream in) throws IOException {
    var line = new ByteArrayOutputStream(80);
    for (int b = in.read(); b != '\n'; b = in.read()) {
      if (b < 0 || line.size() >= MAX_HEAD_BYTES) {
        throw new IOException("The service closed the connection.");
      }
      line.write(b);
    }
    return line.toString(ISO_8859_1).strip();
  }

  private InputStream content(InputStream in) throws IOException {
    if ("chunked".equalsIgnoreCase(headers.get("Transfer-Encoding"))) {
      return new Chunked(in);
    }
    var length = headers.get("Content-Length");
    if (length == null) {
      return in;
    }
    try {
      return new Sized(in, Long.parseLong(length));
    } catch (NumberFormatException e) {
      throw new IOException("The answer has no valid length.", e);
    }
  }

  private void write(StreamBody body) {
    try {
      var chunks = new Chunks(socket.getOutputStream());
      var out = new BufferedOutputStream(chunks, BUFFER_BYTES);
      body.writeTo(out);
      out.flush();
      chunks.end(); // not of a body that failed: its part would pass for the whole
    } catch (IOException | RuntimeException e) {
      writeFailure = e;
      if (!isSocketFault(e)) {
        closeSocket(); // whoever reads would wait for results that cannot come
      }
    }
  }

  private static boolean isSocketFault(Exception e) {
    return e instanceof java.net.SocketException;
  }

  /** The status of the answer. */
  int status() {
    return status;
  }

  /** The headers of the answer. */
  HttpHeaders headers() {
    Map<String, List<String>> all = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
    headers.forEach((name, value) -> all.put(name, List.of(value)));
    return HttpHeaders.of(all, (_, _) -> true);
  }

  /** The body of the answer, which may be read while that of the request is written. */
  InputStream content() {
    return content;
  }

  /** What broke: if the body of the request could not be made, that is the cause. */
  IOException causeOf(IOException e) {
    var failure = writeFailure;
    if (failure == null || isSocketFault(failure)) {
      return e;
    }
    if (failure instanceof RuntimeException fault) {
      throw fault;
    }
    return (IOException) failure;
  }

  private void closeSocket() {
    try {
      socket.close();
    } catch (IOException _) {
      // it is gone either way
    }
  }

  /** Breaks off whatever is not finished. */
  @Override
  public void close() {
    closeSocket();
    writer.interrupt();
  }

  /** The chunked transfer coding of a request. */
  private static final class Chunks extends OutputStream {
    private final BufferedOutputStream out;

    Chunks(OutputStream out) {
      this.out = new BufferedOutputStream(out, BUFFER_BYTES + 16);
    }

    @Override
    public void write(int b) throws IOException {
      write(new byte[] {(byte) b}, 0, 1);
    }

    @Override
    public void write(byte[] bytes, int offset, int length) throws IOException {
      if (length > 0) {
        out.write((Integer.toHexString(length) + "\r\n").getBytes(ISO_8859_1));
        out.write(bytes, offset, length);
        out.write('\r');
        out.write('\n');
      }
    }

    @Override
    public void flush() throws IOException {
      out.flush();
    }

    void end() throws IOException {
      out.write("0\r\n\r\n".getBytes(ISO_8859_1));
      out.flush();
    }
  }

  /** The chunked transfer coding of an answer, which must have its end. */
  private static final class Chunked extends InputStream {
    private final InputStream in;
    private long left;
    private boolean isFirst = true;
    private boolean hasEnded;

    Chunked(InputStream in) {
      this.in = in;
    }

    @Override
    public int read() throws IOException {
      var one = new byte[1];
      return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
    }

    @Override
    public int read(byte[] bytes, int offset, int length) throws IOException {
      if (length == 0) {
        return 0;
      }
      if (left == 0 && !hasEnded) {
        nextChunk();
      }
      if (hasEnded) {
        return -1;
      }
      int n = in.read(bytes, offset, (int) Math.min(length, left));
      if (n < 0) {
        throw new IOException("The answer broke off.");
      }
      left -= n;
      return n;
    }

    private void nextChunk() throws IOException {
      if (!isFirst) {
        readLine(in);
      }
      isFirst = false;
      try {
        left = Long.parseLong(readLine(in).split(";", 2)[0].strip(), 16);
      } catch (NumberFormatException e) {
        throw new IOException("The answer is not HTTP/1.1.", e);
      }
      if (left == 0) {
        hasEnded = true;
        while (!readLine(in).isEmpty()) {
          // a trailer
        }
      }
    }
  }

  /** A body whose length is known, which must be all there. */
  private static final class Sized extends InputStream {
    private final InputStream in;
    private long left;

    Sized(InputStream in, long length) {
      this.in = in;
      this.left = length;
    }

    @Override
    public int read() throws IOException {
      var one = new byte[1];
      return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
    }

    @Override
    public int read(byte[] bytes, int offset, int length) throws IOException {
      if (left == 0) {
        return -1;
      }
      int n = in.read(bytes, offset, (int) Math.min(length, left));
      if (n < 0) {
        throw new IOException("The answer broke off.");
      }
      left -= n;
      return n;
    }
  }
}
