import java.time.Duration;
import java.util.Map;
import java.util.concurrent.Executors;

/** A9: 60 strangers who guess passwords at once, each from an address of their own. */
final class SignIns {
  private static final int STRANGERS = Scale.count(60);
  private static final int GUESSES = 6;
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  private SignIns() {}

  static Result run() throws Exception {
    try (var service = Service.start(Map.of());
        var prober = Prober.start(service)) {
      var statuses = new Tally();
      long begin = System.nanoTime();
      try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
        for (int i = 0; i < STRANGERS; i++) {
          int number = i;
          threads.submit(
              () -> {
                for (int guess = 0; guess < GUESSES; guess++) {
                  statuses.add(guess(service, number, guess));
                }
                return null;
              });
        }
      }
      long seconds = (System.nanoTime() - begin) / 1_000_000_000;
      return prober.result(
          "%d guesses of %d at once in %d s answered with %s"
              .formatted(statuses.total(), STRANGERS, seconds, statuses));
    }
  }

  private static int guess(Service service, int number, int guess) throws Exception {
    var body = Account.credentials("nobody" + number + "@example.org", "guess number " + guess);
    try (var connection = new RawConnection(service, Loopback.number(1 + number))) {
      connection.send(RawConnection.head("POST", "/api/auth/login", null, body.length()) + body);
      return connection.status(PATIENCE);
    }
  }
}
