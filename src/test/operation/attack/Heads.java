import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ThreadLocalRandom;

/** A2: large heads, and requests that wait for no answer; nothing of them may stay in memory. */
final class Heads {
  private static final Duration DURATION = Scale.seconds("hold", 30);
  private static final Duration AFTERWARDS = Scale.seconds("afterwards", 8);
  private static final Duration PATIENCE = Duration.ofSeconds(10);

  /** Headers of the accepted size, of at most 32,768 characters. */
  private static final int HEADER_BYTES = 31_000;

  /** A query of the accepted size, of at most 16,384 characters with the path. */
  private static final int QUERY_BYTES = 15_000;

  private static final int ANSWERED_CONNECTIONS = 16;
  private static final int CONNECTIONS_AHEAD = Scale.count("ahead", 400);
  private static final int WHOLE_CONNECTIONS = Scale.count("whole", 800);
  private static final int WAITING_CONNECTIONS = Scale.count("waiting", 5_000);
  private static final int WAITING_ADDRESSES = 50;
  private static final Duration BEGINNING = DURATION.dividedBy(2);
  private static final int WAITING_HEADER_BYTES = 16_000;
  private static final int PARTIAL_CONNECTIONS = Scale.count("connections", 9_000);
  private static final int PARTIAL_HEADER_BYTES = 60_000;

  /** A request without a token that gets a small answer. */
  private static final String REQUEST =
      "GET /api/whoami?filler="
          + "x".repeat(QUERY_BYTES)
          + " HTTP/1.1\r\nHost: localhost\r\n"
          + fillers(HEADER_BYTES)
          + "\r\n";

  /** A whole small request, and the next one as far as the middle of its headers. */
  private static final byte[] WITH_PARTIAL_HEAD =
      bytes(
          "GET /api/whoami HTTP/1.1\r\nHost: localhost\r\n\r\n"
              + "GET /api/whoami HTTP/1.1\r\nHost: localhost\r\n"
              + fillers(PARTIAL_HEADER_BYTES));

  /** As many header fields as the characters allow, and the first byte of a body. */
  private static final byte[] MANY_FIELDS = bytes(withUnfinishedBody("a:b\r\n".repeat(16_000)));

  /** The same with as many and as large fields as are accepted. */
  private static final byte[] ACCEPTED_FIELDS =
      bytes(withUnfinishedBody("a:b\r\n".repeat(150) + fillers(HEADER_BYTES)));

  private static final byte[] REQUEST_BYTES = bytes(REQUEST);

  /** A read without a token that waits for a commit that never comes. */
  private static final byte[] WAITING =
      bytes(
          "GET /api/repos/others/open/head?limit=1&waitFor=1000000 HTTP/1.1\r\nHost: localhost\r\n"
              + fillers(WAITING_HEADER_BYTES)
              + "\r\n");

  /** As many small requests as one write takes. */
  private static final byte[] SMALL_REQUESTS =
      bytes("GET /api/whoami HTTP/1.1\r\nHost: a\r\n\r\n".repeat(1_500));

  private Heads() {}

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.ISO_8859_1);
  }

  private static String fillers(int length) {
    var fillers = new StringBuilder();
    for (int i = 0; fillers.length() < length - 1_000; i++) {
      fillers.append("X-Filler-").append(i).append(": ").append("x".repeat(980)).append("\r\n");
    }
    return fillers.toString();
  }

  /** Each connection sends its next request when the last one was answered. */
  static Result answered() throws Exception {
    return attack(service -> Flood.repeatedly(service, ANSWERED_CONNECTIONS, Heads::sendAndWait));
  }

  /** No connection waits for an answer to a large head. */
  static Result ahead() throws Exception {
    return ahead(REQUEST_BYTES);
  }

  /** No connection waits for an answer to 1,500 small requests in one write. */
  static Result smallAhead() throws Exception {
    return ahead(SMALL_REQUESTS);
  }

  /**
   * One half of the connections reads and drops what comes, so that the service goes on; the other
   * half reads nothing.
   */
  private static Result ahead(byte[] requests) throws Exception {
    return attack(
        service -> {
          int half = Math.max(1, CONNECTIONS_AHEAD / 2);
          return new Both(
              "answers dropped",
              Flood.repeatedly(
                  service, half, (connection, flood) -> sendAndDrop(connection, flood, requests)),
              "answers not read",
              Flood.repeatedly(
                  service, half, (connection, flood) -> send(connection, flood, requests)));
        });
  }

  /** 9,000 connections with a whole request and the first part of another one in one packet. */
  static Result partial() throws Exception {
    if (!Flood.canOpen(PARTIAL_CONNECTIONS)) {
      return Result.skipped("needs a limit of open files (ulimit -n) over " + PARTIAL_CONNECTIONS);
    }
    return attack(service -> Flood.once(service, PARTIAL_CONNECTIONS, Heads::sendPart));
  }

  /** 5,000 reads that wait, with heads that stay in memory meanwhile. */
  static Result waiting() throws Exception {
    if (!Flood.canOpen(WAITING_CONNECTIONS)) {
      return Result.skipped("needs a limit of open files (ulimit -n) over " + WAITING_CONNECTIONS);
    }
    return attack(
        service ->
            Flood.once(service, WAITING_CONNECTIONS, WAITING_ADDRESSES, Heads::sendAndAwait));
  }

  /** Not all at once, so that as many heads as possible have come when the last ones do. */
  private static void sendAndAwait(RawConnection connection, Flood flood) throws IOException {
    try {
      Thread.sleep(ThreadLocalRandom.current().nextLong(BEGINNING.toMillis()));
    } catch (InterruptedException e) {
      return;
    }
    sendOnce(connection, flood, WAITING);
    flood.awaitAnswer(connection, Duration.ZERO);
  }

  private static String withUnfinishedBody(String headers) {
    return "POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
        + "Content-Length: 3000\r\n"
        + headers
        + "\r\n{";
  }

  /** Whole heads, each with a body of which one byte comes. */
  static Result whole() throws Exception {
    return attack(
        service ->
            new Both(
                "16,000 fields",
                Flood.once(service, WHOLE_CONNECTIONS / 2, (c, f) -> sendWhole(c, f, MANY_FIELDS)),
                "180 fields",
                Flood.once(
                    service, WHOLE_CONNECTIONS / 2, (c, f) -> sendWhole(c, f, ACCEPTED_FIELDS))));
  }

  private static void sendWhole(RawConnection connection, Flood flood, byte[] request)
      throws IOException {
    sendOnce(connection, flood, request);
    flood.awaitAnswer(connection, Duration.ZERO);
  }

  @FunctionalInterface
  private interface Start {
    AutoCloseable on(Service service) throws Exception;
  }

  private static Result attack(Start start) throws Exception {
    try (var service = Service.start(Map.of());
        var prober = Prober.start(service)) {
      checkIsAccepted(service);
      prober.endPhase();
      var flood = start.on(service);
      try (flood) {
        Thread.sleep(DURATION);
      }
      Thread.sleep(AFTERWARDS);
      return prober.result(flood.toString());
    }
  }

  /** A head that is too large would be refused and show nothing. */
  private static void checkIsAccepted(Service service) throws IOException {
    try (var connection = new RawConnection(service, Loopback.number(0))) {
      connection.send(REQUEST);
      int status = connection.status(PATIENCE);
      if (status == 414 || status == 431 || status < 200) {
        throw new IllegalStateException("the large head is not accepted: " + status);
      }
    }
  }

  private static void sendAndWait(RawConnection connection, Flood flood) throws IOException {
    while (!flood.isOver()) {
      sendOnce(connection, flood, REQUEST_BYTES);
      flood.count("" + connection.statusOfWholeAnswer(PATIENCE));
    }
  }

  private static void send(RawConnection connection, Flood flood, byte[] requests)
      throws IOException {
    while (!flood.isOver()) {
      sendOnce(connection, flood, requests);
      Thread.yield();
    }
  }

  private static void sendAndDrop(RawConnection connection, Flood flood, byte[] requests)
      throws IOException {
    Thread.startVirtualThread(connection::dropAnswers);
    send(connection, flood, requests);
  }

  private static void sendPart(RawConnection connection, Flood flood) throws IOException {
    sendOnce(connection, flood, WITH_PARTIAL_HEAD);
    flood.count("first answer " + connection.statusOfWholeAnswer(PATIENCE));
    flood.awaitAnswer(connection, Duration.ZERO);
  }

  private static void sendOnce(RawConnection connection, Flood flood, byte[] bytes)
      throws IOException {
    connection.send(bytes, bytes.length);
    flood.sent(bytes.length);
  }

  /** Two floods at once. */
  private record Both(String ofFirst, Flood first, String ofSecond, Flood second)
      implements AutoCloseable {
    @Override
    public void close() {
      first.close();
      second.close();
    }

    @Override
    public String toString() {
      return ofFirst + ": " + first + "; " + ofSecond + ": " + second;
    }
  }
}
