import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** A2: short requests whose answers, or places while they wait, take much from others. */
final class Answers {
  private static final Duration DURATION = Scale.seconds("hold", 30);
  private static final Duration AFTERWARDS = Scale.seconds("afterwards", 8);
  private static final Duration PATIENCE = Duration.ofSeconds(30);

  /** Preparations are no part of an attack. */
  private static final Map<String, String> WITHOUT_RATES =
      Map.of(
          "CAIRN_LIMITS_REPOSITORIES_PER_MINUTE", "0",
          "CAIRN_LIMITS_MEMBERS_PER_MINUTE", "0");

  private static final int LISTED = Scale.count(400);
  private static final int LISTS = Scale.count(300);
  private static final int DOCUMENTS = Scale.count(2_000);
  private static final int DOCUMENT_ADDRESSES = 4;
  private static final int EXPORT_REQUESTS = Scale.count(1_000);
  private static final int LONG_NAME = 16_000;
  private static final int LONG_NAMES = 8;
  private static final int HOSTS = 32;
  private static final int HOST_ADDRESSES = 4;
  private static final int SLOW = Scale.count(60);
  private static final int LISTS_IN_COMMIT = 40;
  private static final int EDITORS = Scale.count(20);
  private static final int COMMITS_IN_BATCH = 19;

  /** As long as a description may be, with four bytes for each character. */
  private static final String LONG_DESCRIPTION = "\ud83d\ude00".repeat(2_000);

  private static final String READ =
      """
      {"jsonrpc":"2.0","id":0,"method":"tools/call",\
      "params":{"name":"thing_get","arguments":{"wref":"Reference/0"}}}""";

  private static final String COMMIT =
      """
      {"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":"commit_submit","arguments":\
      {"operations":[{"operation":"add","name":"Note/other","data":{"text":"x"},\
      "skipExisting":true}]}}}""";

  private Answers() {}

  /** A list of public repositories with long descriptions, by a stranger. */
  static Result repositories() throws Exception {
    try (var service = Service.start(WITHOUT_RATES);
        var eve = Account.signUp(service, "eve");
        var prober = Prober.start(service)) {
      for (int i = 0; i < LISTED; i++) {
        var repository =
            "{\"name\":\"r%d\",\"visibility\":\"public\",\"description\":\"%s\"}"
                .formatted(i, LONG_DESCRIPTION);
        eve.post("/api/orgs/eve/repos", repository).expectSuccess();
      }
      var request = RawConnection.head("GET", "/api/orgs/eve/repos?limit=500", null, 0);
      return flooded(service, prober, LISTS, Flood.ADDRESSES, request);
    }
  }

  /** The OpenAPI document, which anybody may have. */
  static Result document() throws Exception {
    try (var service = Service.start(Map.of());
        var prober = Prober.start(service)) {
      var request = RawConnection.head("GET", "/q/openapi", null, 0);
      int addresses = Math.max(DOCUMENT_ADDRESSES, Flood.ADDRESSES);
      return flooded(service, prober, DOCUMENTS, addresses, request);
    }
  }

  /** The same export, which one request makes and all others wait for. */
  static Result exports() throws Exception {
    try (var service = Service.start(Map.of());
        var eve = Account.signUp(service, "eve");
        var prober = Prober.start(service)) {
      eve.makeRepository("eve", "notes", "private");
      var path = "/api/repos/eve/notes/export?prefer=async";
      var request = RawConnection.head("GET", path, eve.token(), 0);
      return flooded(service, prober, EXPORT_REQUESTS, Flood.ADDRESSES, request);
    }
  }

  /** Names that are as long as a target may be, where paths have something after a name. */
  static Result paths() throws Exception {
    try (var service = Service.start(Map.of());
        var prober = Prober.start(service)) {
      var target = "/api/repos/x/y/subs/" + "a".repeat(LONG_NAME);
      var request = RawConnection.head("POST", target, null, 0);
      return flooded(service, prober, LONG_NAMES, Flood.ADDRESSES, request);
    }
  }

  /** A host of thousands of labels, without a public URL. */
  static Result hosts() throws Exception {
    try (var service = Service.start(Map.of());
        var prober = Prober.start(service)) {
      var request =
          RawConnection.head("GET", "/api/pats", null, 0)
              .replace("Host: localhost", "Host: " + "a.".repeat(LONG_NAME / 2) + "localhost");
      return flooded(service, prober, HOSTS, HOST_ADDRESSES, request);
    }
  }

  /** Conditions that the database examines to their time limit, from one network of 24 bits. */
  static Result network() throws Exception {
    try (var service = Service.start(WITHOUT_RATES);
        var eve = Account.signUp(service, "eve");
        var prober = Prober.start(service)) {
      eve.makeRepository("eve", "slow", "public");
      eve.commit(
              "eve/slow",
              "{\"operation\":\"add\",\"kind\":\"shape\",\"name\":\"S\",\"data\":{\"fields\":{\"a\":\"any\"}}}")
          .expectSuccess();
      var list =
          "{\"operation\":\"add\",\"name\":\"S/%d\",\"data\":{\"a\":[["
              + "1,".repeat(20_000)
              + "1]]}}";
      for (int from = 0; from < 5 * LISTS_IN_COMMIT; from += LISTS_IN_COMMIT) {
        eve.commit(
                "eve/slow",
                IntStream.range(from, from + LISTS_IN_COMMIT)
                    .mapToObj(list::formatted)
                    .collect(Collectors.joining(",")))
            .expectSuccess();
      }
      var values =
          IntStream.rangeClosed(2, 200).mapToObj(n -> "," + n).collect(Collectors.joining());
      var target = "/api/repos/eve/slow/query?shape=S&where=a:in:true" + values;
      return flooded(service, prober, SLOW, SLOW, RawConnection.head("GET", target, null, 0));
    }
  }

  private static Result flooded(
      Service service, Prober prober, int connections, int addresses, String request)
      throws Exception {
    prober.endPhase();
    var flood =
        Flood.repeatedly(
            service, connections, addresses, (connection, own) -> repeat(connection, own, request));
    return afterwards(flood, prober);
  }

  private static Result afterwards(Flood flood, Prober prober) throws Exception {
    try (flood) {
      Thread.sleep(DURATION);
    }
    Thread.sleep(AFTERWARDS);
    return prober.result(flood.toString());
  }

  private static void repeat(RawConnection connection, Flood flood, String request)
      throws IOException {
    while (!flood.isOver()) {
      connection.send(request);
      flood.sent(request.length());
      flood.count("" + connection.statusOfWholeAnswer(PATIENCE));
    }
  }

  /** Batches of a read and of commits that wait for a repository in which renames take seconds. */
  static Result waitingCommits() throws Exception {
    try (var service = Service.start(WITHOUT_RATES);
        var eve = Account.signUp(service, "eve");
        var prober = Prober.start(service)) {
      Renames.makeRepository(eve, 1);
      var tokens = new ArrayList<String>();
      for (int i = 0; i < EDITORS; i++) {
        try (var editor = Account.signUp(service, "editor" + i)) {
          Renames.makeEditor(eve, "editor" + i);
          tokens.add(editor.token());
        }
      }
      prober.endPhase();
      try (var _ = Renames.begin(eve)) {
        return afterwards(batches(service, tokens), prober);
      }
    }
  }

  private static Flood batches(Service service, List<String> tokens) {
    var batch =
        IntStream.rangeClosed(0, COMMITS_IN_BATCH)
            .mapToObj(i -> i == 0 ? READ : COMMIT.formatted(i))
            .collect(Collectors.joining(",", "[", "]"));
    var requests =
        tokens.stream()
            .map(
                token -> RawConnection.head("POST", "/mcp/eve/busy", token, batch.length()) + batch)
            .toList();
    var next = new AtomicInteger();
    return Flood.repeatedly(
        service,
        tokens.size(),
        (connection, flood) -> {
          var request = requests.get(next.getAndIncrement() % requests.size());
          connection.send(request);
          flood.sent(request.length());
          flood.awaitAnswer(connection, Duration.ZERO);
        });
  }
}
