import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.Map;

/** A2: downloads of one export on many connections that are hardly read. */
final class Downloads {
  private static final Duration DURATION = Scale.seconds("hold", 30);
  private static final Duration AFTERWARDS = Scale.seconds("afterwards", 8);
  private static final Duration BUILT_WITHIN = Duration.ofSeconds(60);
  private static final Duration BETWEEN_BYTES = Duration.ofMillis(500);
  private static final int CONNECTIONS = Scale.count("downloads", 600);
  private static final int COMMITS = Scale.count(10);
  private static final int MEGABYTES_OF_COMMIT = 12;
  private static final String REPOSITORY = "eve/large";

  private Downloads() {}

  /** One account makes an export of 120 MB, and downloads it on 600 connections at once. */
  static Result run() throws Exception {
    try (var service = Service.start(Map.of());
        var eve = Account.signUp(service, "eve");
        var prober = Prober.start(service)) {
      eve.makeRepository("eve", "large", "private");
      for (int i = 0; i < COMMITS; i++) {
        eve.commit(REPOSITORY, Quotas.megabytes(i, MEGABYTES_OF_COMMIT)).expectSuccess();
      }
      var request = "GET %s HTTP/1.1\r\nHost: localhost\r\n\r\n".formatted(pathAndQuery(link(eve)));
      prober.endPhase();
      try (var flood =
          Flood.once(
              service,
              CONNECTIONS,
              (connection, running) -> {
                connection.send(request);
                running.sent(request.length());
                running.awaitAnswer(connection, Duration.ZERO);
                readSlowly(connection, running);
              })) {
        Thread.sleep(DURATION);
        flood.close();
        Thread.sleep(AFTERWARDS);
        return prober.result(flood.toString());
      }
    }
  }

  /** The link to an export, when it is built. */
  private static String link(Account eve) throws Exception {
    var exports = "/api/repos/" + REPOSITORY + "/export?";
    var token = eve.get(exports + "prefer=async").expectSuccess().value("exportToken");
    long deadline = System.nanoTime() + BUILT_WITHIN.toNanos();
    var progress = eve.get(exports + "token=" + token);
    while (progress.status() == 202 && System.nanoTime() < deadline) {
      Thread.sleep(200);
      progress = eve.get(exports + "token=" + token);
    }
    return progress.value("url");
  }

  private static String pathAndQuery(String url) {
    var address = URI.create(url);
    return address.getRawPath() + "?" + address.getRawQuery();
  }

  /** So slowly that nothing but the buffers of the system takes anything. */
  private static void readSlowly(RawConnection connection, Flood flood) throws IOException {
    while (!flood.isOver()) {
      try {
        Thread.sleep(BETWEEN_BYTES);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        return;
      }
      connection.readByte();
    }
  }
}
