import java.time.Duration;
import java.util.Map;
import java.util.function.Function;

/** A2: bodies that are announced and never finished. */
final class UnfinishedBodies {
  /** How many addresses the connections come from. */
  private static final int ADDRESSES = Integer.getInteger("addresses", 1);

  private static final long HOLD_MILLISECONDS = Long.getLong("hold", 30) * 1000;
  private static final long HUNG_UP_AFTER_MILLISECONDS = 10_000;
  private static final long AFTERWARDS_MILLISECONDS = 8_000;
  private static final int MEBIBYTE = 1 << 20;

  private UnfinishedBodies() {}

  /** 9,000 unfinished sign-ins. */
  static Result signIns() throws Exception {
    return strangers("/api/auth/login");
  }

  /** 9,000 unfinished messages to MCP, without credentials. */
  static Result messages() throws Exception {
    return strangers("/mcp");
  }

  private static Result strangers(String path) throws Exception {
    int connections = Integer.getInteger("connections", 9_000);
    if (!Flood.canOpen(connections)) {
      return Result.skipped("needs a limit of open files (ulimit -n) over " + connections);
    }
    return hold(
        eve ->
            Flood.start(
                eve.service(),
                connections,
                ADDRESSES,
                RawConnection.head("POST", path, null, 65_530),
                65_000));
  }

  /** 600 messages of nearly 1 MiB by one account. */
  static Result signedIn() throws Exception {
    return hold(
        eve ->
            eve.flood(600, RawConnection.head("POST", "/mcp", eve.token(), MEBIBYTE), 1_040_000));
  }

  /** One commit of 16 MiB, of which 70 kB come at once and then a byte every 5 seconds. */
  static Result drip() throws Exception {
    return hold(
        eve -> {
          var head = eve.commitHead(16 * MEBIBYTE);
          return Flood.drip(eve.service(), head, 70_000, Duration.ofSeconds(5));
        });
  }

  /** 100 commits that are at 250 of 300 kB. */
  static Result hundred() throws Exception {
    return hold(eve -> eve.flood(100, eve.commitHead(300_000), 250_000));
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
      var flood = eve.flood(600, head, 1_000_000);
      try (flood) {
        Thread.sleep(HUNG_UP_AFTER_MILLISECONDS);
      }
      var meanwhile = prober.endPhase();
      Thread.sleep(AFTERWARDS_MILLISECONDS);
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
    Flood flood(int connections, String head, int bodyBytes) {
      return Flood.start(service, connections, ADDRESSES, head, bodyBytes);
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
        Thread.sleep(HOLD_MILLISECONDS);
      }
      Thread.sleep(AFTERWARDS_MILLISECONDS);
      return prober.result(flood.toString());
    }
  }
}
