import java.io.IOException;
import java.time.Duration;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Collectors;

/**
 * The others: somebody who reads and commits while an attack goes on. Each request begins at its
 * time, whether or not those before it were answered, so that a service that stands still shows in
 * each of them.
 */
final class Prober implements AutoCloseable {
  /** Nobody else should wait longer than this for an answer. */
  static final Duration PATIENCE = Duration.ofSeconds(Long.getLong("patience", 5));

  private static final Duration GIVE_UP = Duration.ofSeconds(30);
  private static final Duration WARM_UP = Scale.seconds("warmUp", 5);
  private static final int LARGE = 200_000;
  private static final int OWN_NETWORK = 50_000;

  private static final String MCP_READ =
      """
      {"jsonrpc":"2.0","id":1,"method":"tools/call",\
      "params":{"name":"repo_describe","arguments":{}}}""";

  private enum Kind {
    PUBLIC_READS(100),
    PUBLIC_SEARCHES(500),
    SIGNED_IN_READS(100),
    MCP_READS(250),
    COMMITS(500),
    COMMITS_OF_200_KB(1000);

    private final long everyMilliseconds;

    Kind(long everyMilliseconds) {
      this.everyMilliseconds = everyMilliseconds;
    }

    private String label() {
      return name()
          .toLowerCase(Locale.ROOT)
          .replace('_', ' ')
          .replace("kb", "kB")
          .replace("mcp", "MCP");
    }
  }

  private final Service service;
  private final Account account;

  /** Platform threads: a flood's virtual threads would leave other virtual threads no time. */
  private final ExecutorService threads = Executors.newCachedThreadPool();

  private final AtomicInteger commits = new AtomicInteger();
  private final AtomicLong heapPeak = new AtomicLong();
  private final AtomicLong residentPeak = new AtomicLong();
  private final AtomicInteger unansweredMetrics = new AtomicInteger();
  private volatile Phase phase = new Phase();
  private volatile boolean isStopping;

  private Prober(Service service, Account account) {
    this.service = service;
    this.account = account;
  }

  /** Begins to call as an account of its own; the first seconds, which warm up, do not count. */
  static Prober start(Service service) throws Exception {
    var account = Account.signUp(service, "others");
    account.makeRepository("others", "open", "public");
    account.makeRepository("others", "closed", "private");
    account.makeRepository("others", "large", "private");
    account.commit("others/open", Account.note("a", "b")).expectSuccess();
    var prober = new Prober(service, account);
    for (var kind : Kind.values()) {
      prober.threads.execute(() -> prober.repeat(kind));
    }
    prober.threads.execute(prober::watchMemory);
    Thread.sleep(WARM_UP);
    prober.endPhase();
    return prober;
  }

  /** The requests that began in a part of the time; complete when all were answered. */
  static final class Phase {
    private final Map<Kind, Latencies> latencies = new EnumMap<>(Kind.class);

    private Phase() {
      for (var kind : Kind.values()) {
        latencies.put(kind, new Latencies());
      }
    }

    /** Whether everybody got an answer in time. */
    boolean isServed() {
      return latencies.values().stream()
          .allMatch(
              of ->
                  of.count() > 0 && of.failed() == 0 && of.milliseconds(1) <= PATIENCE.toMillis());
    }

    @Override
    public String toString() {
      return latencies.entrySet().stream()
          .map(entry -> entry.getKey().label() + " " + entry.getValue())
          .collect(Collectors.joining("; "));
    }
  }

  /** Counts from now on for another phase; the one that ends. */
  Phase endPhase() {
    var ended = phase;
    phase = new Phase();
    return ended;
  }

  private void repeat(Kind kind) {
    try {
      while (!isStopping) {
        var counted = phase.latencies.get(kind);
        threads.execute(() -> probe(kind, counted));
        Thread.sleep(kind.everyMilliseconds);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (RejectedExecutionException e) {
      // Stopped in between.
    }
  }

  private void probe(Kind kind, Latencies counted) {
    long begin = System.nanoTime();
    try {
      int status = call(kind);
      if (status == 200 || status == 201) {
        counted.succeeded(System.nanoTime() - begin);
      } else {
        counted.failed(
            status < 0 ? "no answer" : status == 0 ? "closed" : "" + status, since(begin));
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (Exception e) {
      counted.failed(e.getClass().getSimpleName(), since(begin));
    }
  }

  private static long since(long begin) {
    return System.nanoTime() - begin;
  }

  private int call(Kind kind) throws Exception {
    return switch (kind) {
      case PUBLIC_READS -> readOnNewConnection("things/Note/a");
      case PUBLIC_SEARCHES -> readOnNewConnection("search?q=b");
      case SIGNED_IN_READS -> account.get("/api/repos/others/closed/head?limit=10").status();
      case MCP_READS -> readByTool();
      case COMMITS -> account.commit("others/closed", note(20)).status();
      case COMMITS_OF_200_KB -> account.commit("others/large", note(LARGE)).status();
    };
  }

  /** The errors of a tool have the status 200; here they count as failures. */
  private int readByTool() throws Exception {
    var answer = account.post("/mcp/others/closed", MCP_READ);
    return answer.body().contains("\"isError\":true") ? 500 : answer.status();
  }

  /** From a network of their own. */
  private int readOnNewConnection(String path) throws IOException {
    try (var connection = new RawConnection(service, Loopback.number(OWN_NETWORK))) {
      connection.send(
          "GET /api/repos/others/open/"
              + path
              + " HTTP/1.1\r\n"
              + "Host: localhost\r\nConnection: close\r\n\r\n");
      int status = connection.status(GIVE_UP);
      if (status > 0) {
        connection.readToEnd();
      }
      return status;
    }
  }

  private String note(int length) {
    return Account.note("n" + commits.incrementAndGet(), "x".repeat(length));
  }

  private void watchMemory() {
    try {
      while (!isStopping) {
        residentPeak.accumulateAndGet(service.residentBytes(), Math::max);
        watchHeap();
        Thread.sleep(250);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void watchHeap() throws InterruptedException {
    try {
      heapPeak.accumulateAndGet(service.heapBytes(), Math::max);
    } catch (IOException e) {
      unansweredMetrics.incrementAndGet();
    }
  }

  private String memory() throws IOException {
    return "heap %,d MB%s, resident %,d MB%s%s"
        .formatted(
            heapPeak.get() >> 20,
            unansweredMetrics.get() == 0
                ? ""
                : " (metrics without an answer: " + unansweredMetrics + ")",
            residentPeak.get() >> 20,
            service.ranOutOfMemory() ? ", OutOfMemoryError" : "",
            service.isAlive() ? "" : ", the process died");
  }

  /** The result of an attack that held if others were served and the process lives. */
  Result result(String got) throws Exception {
    return result(got, true);
  }

  /** The same, with a condition of the attack itself: it did not hold if {@code held} is false. */
  Result result(String got, boolean held) throws Exception {
    stop();
    return new Result(
        got,
        phase.toString(),
        memory(),
        Result.Verdict.of(
            held && phase.isServed() && service.isAlive() && !service.ranOutOfMemory()));
  }

  private void stop() throws InterruptedException {
    isStopping = true;
    threads.shutdown();
    if (!threads.awaitTermination(75, TimeUnit.SECONDS)) {
      threads.shutdownNow();
    }
  }

  @Override
  public void close() {
    isStopping = true;
    threads.shutdownNow();
    account.close();
  }
}
