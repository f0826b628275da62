import java.io.IOException;
import java.time.Duration;
import java.util.Map;

/** A2: small answered requests with large heads, of which nothing may stay in memory. */
final class LargeHeads {
  private static final int CONNECTIONS = 16;
  private static final int HEAD_BYTES = 15_000;
  private static final Duration DURATION = Duration.ofSeconds(Long.getLong("hold", 30));
  private static final Duration PATIENCE = Duration.ofSeconds(10);

  /** A request without a token that gets a small answer. */
  private static final String HEAD = head();

  private LargeHeads() {}

  /** Each connection sends its next request when the last one was answered. */
  static Result run() throws Exception {
    try (var service = Service.start(Map.of());
        var prober = Prober.start(service)) {
      prober.endPhase();
      var statuses = new Tally();
      var threads = new Thread[CONNECTIONS];
      for (int i = 0; i < CONNECTIONS; i++) {
        threads[i] = Thread.startVirtualThread(() -> repeat(service, statuses));
      }
      for (var thread : threads) {
        thread.join();
      }
      return prober.result(
          "%d requests with heads of %d bytes on %d connections answered with %s"
              .formatted(statuses.total(), HEAD_BYTES, CONNECTIONS, statuses));
    }
  }

  private static void repeat(Service service, Tally statuses) {
    long deadline = System.nanoTime() + DURATION.toNanos();
    while (System.nanoTime() < deadline) {
      try (var connection = new RawConnection(service, Loopback.number(1))) {
        while (System.nanoTime() < deadline) {
          connection.send(HEAD);
          statuses.add(connection.statusOfWholeAnswer(PATIENCE));
        }
      } catch (IOException e) {
        statuses.add("closed or refused");
        pause();
      }
    }
  }

  /** A refused connection is not asked for again at once. */
  private static void pause() {
    try {
      Thread.sleep(10);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private static String head() {
    var head = new StringBuilder("GET /api/whoami HTTP/1.1\r\nHost: localhost\r\n");
    for (int i = 0; head.length() < HEAD_BYTES - 1_000; i++) {
      head.append("X-Filler-").append(i).append(": ").append("x".repeat(980)).append("\r\n");
    }
    return head.append("\r\n").toString();
  }
}
