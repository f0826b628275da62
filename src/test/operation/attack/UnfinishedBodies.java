import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;

/** A2: bodies that are announced and never finished, or wait when they are. */
final class UnfinishedBodies {
  private static final Duration HOLD = Scale.seconds("hold", 30);
  private static final Duration HUNG_UP_AFTER = Scale.seconds("hangUp", 10);
  private static final Duration AFTERWARDS = Scale.seconds("afterwards", 8);
  private static final int STRANGERS = Scale.count("connections", 9_000);
  private static final int MESSAGES = Scale.count(600);
  private static final int COMMITS = Scale.count(100);
  private static final int COMPLETE = Scale.count(240);

  /** It stores nothing after the first time. */
  private static final String COMMIT =
      """
      {"operations":[{"operation":"add","name":"Note/a","data":{"text":"%s"},"skipExisting":true}]}"""
          .formatted("x".repeat(150_000));

  private static final int MEBIBYTE = 1 << 20;
  private static final byte[] BLANKS = blanks();

  private UnfinishedBodies() {}

  private static byte[] blanks() {
    var blanks = new byte[16 * 1024];
    Arrays.fill(blanks, (byte) ' ');
    return blanks;
  }

  /**
   * A request of which a part of the body is sent.
   *
   * @param pause how often another byte is sent after that part; never if it is zero
   */
  private record UnfinishedBody(String head, int sentBytes, Duration pause)
      implements Flood.Caller {
    private UnfinishedBody(String head, int sentBytes) {
      this(head, sentBytes, Duration.ZERO);
    }

    @Override
    public void call(RawConnection connection, Flood flood) throws IOException {
      connection.send(head + "{");
      for (int sent = 1; sent < sentBytes && !flood.isOver(); sent += BLANKS.length) {
        int length = Math.min(BLANKS.length, sentBytes - sent);
        connection.send(BLANKS, length);
        flood.sent(length);
      }
      flood.awaitAnswer(connection, pause);
    }
  }

  /** 9,000 unfinished sign-ins. */
  static Result signIns() throws Exception {
    return strangers("/api/auth/login");
  }

  /** 9,000 unfinished messages to MCP, without credentials. */
  static Result messages() throws Exception {
    return strangers("/mcp");
  }

  private static Result strangers(String path) throws Exception {
    if (!Flood.canOpen(STRANGERS)) {
      return Result.skipped("needs a limit of open files (ulimit -n) over " + STRANGERS);
    }
    var body = new UnfinishedBody(RawConnection.head("POST", path, null, 65_530), 65_000);
    return hold(eve -> Flood.once(eve.service(), STRANGERS, body));
  }

  /** 600 messages of nearly 1 MiB by one account. */
  static Result signedIn() throws Exception {
    return hold(
        eve ->
            eve.flood(
                MESSAGES,
                new UnfinishedBody(
                    RawConnection.head("POST", "/mcp", eve.token(), MEBIBYTE), 1_040_000)));
  }

  /** One commit of 16 MiB, of which 70 kB come at once and then a byte every 5 seconds. */
  static Result drip() throws Exception {
    return hold(
        eve ->
            eve.flood(
                1,
                new UnfinishedBody(eve.commitHead(16 * MEBIBYTE), 70_000, Duration.ofSeconds(5))));
  }

  /** 100 commits that are at 250 of 300 kB. */
  static Result hundred() throws Exception {
    return hold(eve -> eve.flood(COMMITS, new UnfinishedBody(eve.commitHead(300_000), 250_000)));
  }

  /** 240 complete commits of 150 kB by three accounts, which wait for those before them. */
  static Result complete() throws Exception {
    try (var service = Service.start(Map.of());
        var prober = Prober.start(service)) {
      var requests = new ArrayList<String>();
      for (var name : List.of("eve", "mallory", "oscar")) {
        try (var account = Account.signUp(service, name)) {
          account.makeRepository(name, "notes", "private");
          var path = "/api/repos/" + name + "/notes/commits";
          requests.add(RawConnection.head("POST", path, account.token(), COMMIT.length()) + COMMIT);
        }
      }
      prober.endPhase();
      var next = new AtomicInteger();
      var flood =
          Flood.repeatedly(
              service,
              COMPLETE,
              (connection, own) -> {
                var request = requests.get(next.getAndIncrement() % requests.size());
                connection.send(request);
                own.sent(request.length());
                own.awaitAnswer(connection, Duration.ZERO);
              });
      try (flood) {
        Thread.sleep(HOLD);
      }
      Thread.sleep(AFTERWARDS);
      return prober.result(flood.toString());
    }
  }

  /** 600 half-sent look-ups whose callers then go away. */
  static Result lookUps() throws Exception {
    return hangUp("/api/repos/eve/notes/things/batch");
  }

  /** The same with messages to MCP. */
  static Result hungUpMessages() throws Exception {
    return hangUp("/mcp");
  }

  private static Result hangUp(String path) throws Exception {
    try (var service = Service.start(Map.of());
        var account = Account.signUp(service, "eve");
        var prober = Prober.start(service)) {
      account.makeRepository("eve", "notes", "private");
      var eve = new Attacker(service, account.token());
      var head = RawConnection.head("POST", path, eve.token(), MEBIBYTE);
      prober.endPhase();
      var flood = eve.flood(MESSAGES, new UnfinishedBody(head, 1_000_000));
      try (flood) {
        Thread.sleep(HUNG_UP_AFTER);
      }
      var meanwhile = prober.endPhase();
      Thread.sleep(AFTERWARDS);
      var after = prober.result(flood.toString());
      return new Result(
          after.got(),
          meanwhile + "; **after they hung up:** " + after.others(),
          after.memory(),
          meanwhile.isServed() ? after.verdict() : Result.Verdict.NOT_HELD);
    }
  }

  /** A stranger who has signed up. */
  private record Attacker(Service service, String token) {
    Flood flood(int connections, Flood.Caller caller) {
      return Flood.once(service, connections, caller);
    }

    String commitHead(int bodyBytes) {
      return RawConnection.head("POST", "/api/repos/eve/notes/commits", token, bodyBytes);
    }
  }

  private static Result hold(Function<Attacker, Flood> attack) throws Exception {
    try (var service = Service.start(Map.of());
        var account = Account.signUp(service, "eve");
        var prober = Prober.start(service)) {
      account.makeRepository("eve", "notes", "private");
      prober.endPhase();
      var flood = attack.apply(new Attacker(service, account.token()));
      try (flood) {
        Thread.sleep(HOLD);
      }
      Thread.sleep(AFTERWARDS);
      return prober.result(flood.toString());
    }
  }
}
