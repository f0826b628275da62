import java.time.Duration;
import java.util.Map;
import java.util.concurrent.Executors;

/** A9: strangers who guess passwords, each from an address of their own. */
final class SignIns {
  private static final int STRANGERS = Scale.count(60);
  private static final int GUESSES = 6;
  private static final int ADDRESSES = 400;
  private static final int PER_SECOND = 40;
  private static final Duration ATTACK = Scale.seconds("attack", 40);
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

  /**
   * One stranger with 400 addresses, each below its own rate limit, sends more guesses than the
   * service can check. Whoever signs in from a known address must not notice.
   */
  static Result manyAddresses() throws Exception {
    try (var service = Service.start(Map.of());
        var prober = Prober.start(service);
        var owner = Account.signUp(service, "owner");
        var stranger = Account.signUp(service, "stranger")) {
      var statuses = new Tally();
      var known = new Latencies();
      var fresh = new Latencies();
      try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
        long end = System.nanoTime() + ATTACK.toNanos();
        for (int i = 0; System.nanoTime() < end; i++) {
          int number = i;
          threads.submit(
              () -> {
                statuses.add(guess(service, number % ADDRESSES, number));
                return null;
              });
          if (i % (3 * PER_SECOND) == PER_SECOND) {
            threads.submit(() -> signIn(owner, "owner", known));
            threads.submit(() -> signIn(Account.anonymous(service), "stranger", fresh));
          }
          Thread.sleep(1_000 / PER_SECOND);
        }
      }
      return prober.result(
          "%d guesses from %d addresses answered with %s; sign-ins from a known address %s, from a"
                  .formatted(statuses.total(), ADDRESSES, statuses, known)
              + " new one "
              + fresh,
          known.failed() == 0 && known.milliseconds(1) < Probe.PATIENCE.toMillis());
    }
  }

  private static Void signIn(Account account, String name, Latencies times) throws Exception {
    long begin = System.nanoTime();
    var body = Account.credentials(name + "@example.org", Account.PASSWORD);
    int status = account.post("/api/auth/login", body).status();
    if (status == 200) {
      times.succeeded(System.nanoTime() - begin);
    } else {
      times.failed("" + status, System.nanoTime() - begin);
    }
    return null;
  }

  private static int guess(Service service, int number, int guess) throws Exception {
    var body = Account.credentials("nobody" + number + "@example.org", "guess number " + guess);
    try (var connection = new RawConnection(service, Loopback.number(1 + number))) {
      connection.send(RawConnection.head("POST", "/api/auth/login", null, body.length()) + body);
      return connection.status(PATIENCE);
    }
  }
}
