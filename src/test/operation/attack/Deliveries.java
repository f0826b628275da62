import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;

/** B14 and B15: receivers that fail or hang, and the deliveries to all others. */
final class Deliveries {
  private static final Map<String, String> LOOPBACK = Map.of("CAIRN_EGRESS_ALLOW", "127.0.0.1");
  private static final Duration DURATION = Scale.seconds("seconds", 30);
  private static final int FAILURES = Scale.count(100);
  private static final Duration LAST_DELIVERIES = Duration.ofSeconds(20);

  private final Account account;
  private final String repository;
  private final Receiver receiver;
  private final Map<String, Long> sent = new LinkedHashMap<>();

  private Deliveries(Account account, String repository, Receiver receiver) {
    this.account = account;
    this.repository = repository;
    this.receiver = receiver;
  }

  /** B14: a busy path that fails, and another path of the same host that does not. */
  static Result failingPath() throws Exception {
    try (var receiver = new Receiver();
        var service = Service.start(LOOPBACK);
        var account = Account.signUp(service, "shop");
        var prober = Prober.start(service)) {
      account.makeRepository("shop", "orders", "private");
      account.commit("shop/orders", Account.shape("Failure")).expectSuccess();
      subscribe(account, "shop/orders", "healthy", "Note", receiver.url("/ok"));
      subscribe(account, "shop/orders", "failing", "Failure", receiver.url("/fail"));
      prober.endPhase();
      for (int i = 0; i < FAILURES; i++) {
        account
            .commit("shop/orders", Account.note("f" + i, "x").replace("Note/", "Failure/"))
            .expectSuccess();
      }
      Thread.sleep(2_000);
      var deliveries = new Deliveries(account, "shop/orders", receiver);
      deliveries.commit(Duration.ofSeconds(1), 20);
      return deliveries.result(
          prober, FAILURES + " runs of a failing path at the host of a healthy one");
    }
  }

  /** B15: bodies of 14 MB to a receiver that hangs, and another organization's of 300 kB. */
  static Result hangingReceiver() throws Exception {
    try (var receiver = new Receiver();
        var hanging = new HangingReceiver();
        var service = Service.start(LOOPBACK);
        var eve = Account.signUp(service, "eve");
        var account = Account.signUp(service, "shop");
        var prober = Prober.start(service)) {
      eve.makeRepository("eve", "large", "private");
      subscribe(eve, "eve/large", "hanging", "Note", hanging.url());
      account.makeRepository("shop", "orders", "private");
      subscribe(account, "shop/orders", "healthy", "Note", receiver.url("/ok"));
      var statuses = new Tally();
      for (int i = 0; i < 6; i++) {
        statuses.add(eve.commit("eve/large", Quotas.megabytes(i, 14)).status());
      }
      prober.endPhase();
      var deliveries = new Deliveries(account, "shop/orders", receiver);
      deliveries.commit(Duration.ofSeconds(1), 300_000);
      return deliveries.result(
          prober, "6 bodies of 14 MB to a receiver that reads nothing, " + statuses);
    }
  }

  private static void subscribe(
      Account account, String repository, String name, String shape, String url) throws Exception {
    account
        .post(
            "/api/repos/" + repository + "/subs",
            """
            {"name":"%s","kind":"webhook","shapeName":"%s","filterJson":{},"webhookUrl":"%s"}"""
                .formatted(name, shape, url))
        .expectSuccess();
  }

  private void commit(Duration pause, int length) throws Exception {
    long begin = System.nanoTime();
    for (int i = 0; System.nanoTime() - begin < DURATION.toNanos(); i++) {
      var name = "probe" + i;
      if (account.commit(repository, Account.note(name, "x".repeat(length))).isSuccess()) {
        sent.put(name, System.nanoTime());
      }
      long due = begin + (i + 1) * pause.toNanos();
      Thread.sleep(Duration.ofNanos(Math.max(0, due - System.nanoTime())));
    }
  }

  private void awaitDeliveries() throws InterruptedException {
    long deadline = System.nanoTime() + LAST_DELIVERIES.toNanos();
    while (System.nanoTime() < deadline
        && sent.keySet().stream().anyMatch(note -> receiver.arrival(note) == null)) {
      Thread.sleep(100);
    }
  }

  private Result result(Prober prober, String got) throws Exception {
    awaitDeliveries();
    var deliveries = new Latencies();
    for (var note : sent.entrySet()) {
      var arrival = receiver.arrival(note.getKey());
      if (arrival == null) {
        deliveries.failed("not delivered", System.nanoTime() - note.getValue());
      } else {
        deliveries.succeeded(Math.max(0, arrival - note.getValue()));
      }
    }
    boolean delivered =
        deliveries.count() > 0 && deliveries.failed() == 0 && deliveries.milliseconds(1) <= 1_000;
    var result = prober.result(got, delivered);
    return new Result(
        result.got(),
        "healthy deliveries " + deliveries + "; " + result.others(),
        result.memory(),
        result.verdict());
  }
}
