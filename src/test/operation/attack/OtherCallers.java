import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * An account that reads and commits during an attack, in a process of its own, so that delays of
 * the attackers' process do not count as delays of the service. Each request begins at its time,
 * even if earlier ones have not been answered, so that a service that stands still delays all of
 * them. {@link Prober} starts the process and controls it by lines of the standard input. Outcomes
 * are written only at the end, because their reader may be slow.
 */
final class OtherCallers {
  /** Written when the requests begin. */
  static final String READY = "ready";

  /** Begins the next phase, for which the following requests count. */
  static final String NEXT_PHASE = "phase";

  /** Followed by a repository, in which somebody renames: it is committed to as well. */
  static final String COMMIT_TO = "commit";

  /**
   * Ends the requests. Then each outcome is written as a line, and at last the peak memory. If a
   * request does not end, the process ends with exit code 1 instead of the last line.
   */
  static final String END = "end";

  /** Begins the last line, which has the peak memory. */
  static final String MEMORY = "memory ";

  private static final Duration GIVE_UP = Duration.ofSeconds(30);
  private static final Duration LAST_ANSWERS = Duration.ofSeconds(75);
  private static final int LARGE = 200_000;

  /** The numbers of the addresses, each in a network of its own, from which nobody attacks. */
  private static final int ACCOUNT_ADDRESS = 45_000;

  private static final int PUBLIC_ADDRESS = 50_000;

  private static final String MCP_READ =
      """
      {"jsonrpc":"2.0","id":1,"method":"tools/call",\
      "params":{"name":"repo_describe","arguments":{}}}""";

  private final Target service;
  private final Account account;
  private final PeakMemory memory;
  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
  private final Queue<Outcome> outcomes = new ConcurrentLinkedQueue<>();
  private final AtomicInteger commits = new AtomicInteger();
  private volatile int phase;
  private volatile String renamed;
  private volatile boolean isEnding;

  private OtherCallers(Target service, Account account, PeakMemory memory) {
    this.service = service;
    this.account = account;
    this.memory = memory;
  }

  /**
   * Calls the service until the standard input ends.
   *
   * @param arguments the port of the service, and the id of its process
   */
  static void main(String[] arguments) throws Exception {
    int port = Integer.parseInt(arguments[0]);
    Target service = () -> port;
    var account = Account.signUp(service, "others", Loopback.number(ACCOUNT_ADDRESS));
    account.makeRepository("others", "open", "public");
    account.makeRepository("others", "closed", "private");
    account.makeRepository("others", "large", "private");
    account.commit("others/open", Account.note("a", "b")).expectSuccess();
    var memory = new PeakMemory(service, Long.parseLong(arguments[1]));
    Thread.startVirtualThread(memory::watch);
    var others = new OtherCallers(service, account, memory);
    Probe.ALWAYS.forEach(others::begin);
    System.out.println(READY);
    others.obey();
    System.exit(0);
  }

  /** Follows the lines of the standard input until it ends. */
  private void obey() throws IOException {
    var lines = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    for (var line = lines.readLine(); line != null; line = lines.readLine()) {
      var words = line.split(" ");
      switch (words[0]) {
        case NEXT_PHASE -> phase++;
        case COMMIT_TO -> {
          renamed = words[1];
          begin(Probe.COMMITS_BESIDE_RENAMES);
        }
        case END -> Thread.startVirtualThread(this::end);
        default -> throw new IllegalStateException(line);
      }
    }
  }

  private void begin(Probe probe) {
    threads.execute(() -> repeat(probe));
  }

  private void repeat(Probe probe) {
    try {
      while (!isEnding) {
        int begun = phase;
        threads.execute(() -> outcomes.add(outcome(begun, probe)));
        Thread.sleep(probe.interval());
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (RejectedExecutionException e) {
      // Ended in between.
    }
  }

  private Outcome outcome(int begun, Probe probe) {
    long begin = System.nanoTime();
    String failure;
    try {
      int status = call(probe);
      failure =
          switch (status) {
            case 200, 201 -> "";
            case -1 -> "no answer";
            case 0 -> "closed";
            default -> "" + status;
          };
    } catch (Exception e) {
      failure = e.getClass().getSimpleName();
    }
    return new Outcome(begun, probe, System.nanoTime() - begin, failure);
  }

  private int call(Probe probe) throws Exception {
    return switch (probe) {
      case PUBLIC_READS -> readOnNewConnection("things/Note/a");
      case PUBLIC_SEARCHES -> readOnNewConnection("search?q=b");
      case SIGNED_IN_READS -> account.get("/api/repos/others/closed/head?limit=10").status();
      case MCP_READS -> readByTool();
      case COMMITS -> account.commit("others/closed", note(20)).status();
      case COMMITS_OF_200_KB -> account.commit("others/large", note(LARGE)).status();
      case COMMITS_BESIDE_RENAMES -> account.commit(renamed, note(20)).status();
    };
  }

  /** The errors of a tool have the status 200; here they count as failures. */
  private int readByTool() throws Exception {
    var answer = account.post("/mcp/others/closed", MCP_READ);
    return answer.body().contains("\"isError\":true") ? 500 : answer.status();
  }

  private int readOnNewConnection(String path) throws IOException {
    try (var connection = new RawConnection(service, Loopback.number(PUBLIC_ADDRESS))) {
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

  private void end() {
    isEnding = true;
    threads.shutdown();
    boolean haveEnded = false;
    try {
      haveEnded = threads.awaitTermination(LAST_ANSWERS.toSeconds(), TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    outcomes.forEach(outcome -> System.out.println(outcome.line()));
    if (!haveEnded) {
      System.err.println("Requests have not ended after " + LAST_ANSWERS.toSeconds() + " s.");
      System.exit(1);
    }
    System.out.println(MEMORY + memory);
  }
}
