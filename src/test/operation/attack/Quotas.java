import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ThreadLocalRandom;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** A6: what one stranger can fill the disk with. */
final class Quotas {
  private static final Duration EACH = Duration.ofSeconds(Long.getLong("seconds", 30));
  private static final long MOST_BYTES = Long.getLong("gigabytes", 6) << 30;
  private static final int REPOSITORIES = 600;
  private static final int ORGANIZATIONS = 40;
  private static final int COMMITS = 5;
  private static final List<String> EXPORTED = List.of("eve/one", "eve/two", "eve/three");

  /** The quotas of a service with its default settings. */
  private static final int QUOTA_OF_REPOSITORIES = 500;

  private static final int QUOTA_OF_ORGANIZATIONS = 20;
  private static final int QUOTA_OF_EXPORTS = 3;

  /** The rate of new repositories by default: this many at once, and as many in each minute. */
  private static final int REPOSITORIES_PER_MINUTE = 30;

  private static final Map<String, String> WITHOUT_RATES =
      Map.of(
          "CAIRN_LIMITS_REPOSITORIES_PER_MINUTE", "0",
          "CAIRN_LIMITS_ORGANIZATIONS_PER_HOUR", "0");

  private final Service service;
  private final Account eve;
  private final Map<String, Queue<String>> exportTokens =
      Map.of(
          EXPORTED.get(0), new ConcurrentLinkedQueue<>(),
          EXPORTED.get(1), new ConcurrentLinkedQueue<>(),
          EXPORTED.get(2), new ConcurrentLinkedQueue<>());

  private Quotas(Service service, Account eve) {
    this.service = service;
    this.eve = eve;
  }

  /** Exports, repositories, and organizations by default. */
  static Result run() throws Exception {
    try (var service = Service.start(Map.of());
        var eve = Account.signUp(service, "eve");
        var prober = Prober.start(service)) {
      return new Quotas(service, eve).attack(prober);
    }
  }

  /** Repositories and organizations until the quotas, which the rates would delay. */
  static Result withoutRates() throws Exception {
    try (var service = Service.start(WITHOUT_RATES);
        var eve = Account.signUp(service, "eve");
        var prober = Prober.start(service)) {
      prober.endPhase();
      var made = new Quotas(service, eve).make();
      return prober.result(
          made.toString(),
          made.repositories() <= QUOTA_OF_REPOSITORIES
              && made.organizations() <= QUOTA_OF_ORGANIZATIONS);
    }
  }

  /** What was made beside the repositories that are exported, and the answers. */
  private record Made(Tally ofRepositories, Tally ofOrganizations, long seconds) {
    int repositories() {
      return ofRepositories.count("201");
    }

    /** With the personal one. */
    int organizations() {
      return ofOrganizations.count("201") + 1;
    }

    @Override
    public String toString() {
      return "%d repositories (%s) and %d organizations (%s) in %d s"
          .formatted(repositories(), ofRepositories, organizations(), ofOrganizations, seconds);
    }
  }

  private Made make() throws Exception {
    long begin = System.nanoTime();
    var repositories =
        make(REPOSITORIES, i -> eve.post("/api/orgs/eve/repos", name("repository-" + i)));
    var organizations = make(ORGANIZATIONS, i -> eve.post("/api/orgs", name("eve-and-" + i)));
    return new Made(repositories, organizations, since(begin));
  }

  private static long since(long begin) {
    return Duration.ofNanos(System.nanoTime() - begin).toSeconds();
  }

  private Result attack(Prober prober) throws Exception {
    long before = service.diskBytes();
    long begin = System.nanoTime();
    for (var repository : EXPORTED) {
      fill(repository);
    }
    long contentBytes = service.diskBytes() - before;
    long contentSeconds = since(begin);
    var exports = exports();
    int kept = keptExports();
    long exportBytes = service.diskBytes() - before - contentBytes;
    var made = make();
    int repositories = made.repositories() + EXPORTED.size();
    return prober.result(
        """
        %,d MB of content in %d s; %,d MB of exports in %d s (asked: %s; kept at the end: %d); %s"""
            .formatted(
                contentBytes >> 20,
                contentSeconds,
                exportBytes >> 20,
                EACH.toSeconds(),
                exports,
                kept,
                made),
        kept <= QUOTA_OF_EXPORTS * EXPORTED.size()
            && repositories <= REPOSITORIES_PER_MINUTE * (1 + (since(begin) + 1) / 60.0)
            && made.organizations() <= QUOTA_OF_ORGANIZATIONS);
  }

  private static String name(String name) {
    return "{\"name\":\"" + name + "\"}";
  }

  private void fill(String repository) throws Exception {
    var parts = repository.split("/");
    eve.makeRepository(parts[0], parts[1], "private");
    for (int i = 0; i < COMMITS; i++) {
      eve.commit(repository, megabytes(i, 12)).expectSuccess();
    }
  }

  /** Operations that add this number of notes of 1 MB. */
  static String megabytes(int commit, int count) {
    return IntStream.range(0, count)
        .mapToObj(i -> Account.note("m" + commit + "-" + i, noise(1_000_000)))
        .collect(Collectors.joining(","));
  }

  /** Text that cannot be compressed much. */
  private static String noise(int length) {
    var random = ThreadLocalRandom.current();
    var text = new StringBuilder(length);
    while (text.length() < length) {
      text.append(Long.toString(random.nextLong(Long.MAX_VALUE), 36));
    }
    text.setLength(length);
    return text.toString();
  }

  /** Asks for an export again and again, every other time of a new state. */
  private Tally exports() throws Exception {
    var statuses = new Tally();
    long deadline = System.nanoTime() + EACH.toNanos();
    for (int i = 0; System.nanoTime() < deadline && service.diskBytes() < MOST_BYTES; i++) {
      var repository = EXPORTED.get(i % EXPORTED.size());
      if (i % 2 == 0) {
        eve.commit(repository, Account.note("change-" + i, "x"));
      }
      var answer = eve.get("/api/repos/" + repository + "/export?prefer=async");
      statuses.add(answer.status());
      if (answer.isSuccess()) {
        exportTokens.get(repository).add(answer.value("exportToken"));
      } else {
        Thread.sleep(200);
      }
    }
    return statuses;
  }

  /** How many exports are there to be downloaded when all were built, each counted once. */
  private int keptExports() throws Exception {
    long deadline = System.nanoTime() + EACH.toNanos();
    while (true) {
      var kept = new TreeSet<String>();
      boolean isBuilding = false;
      for (var repository : EXPORTED) {
        for (var token : exportTokens.get(repository)) {
          var answer = eve.get("/api/repos/" + repository + "/export?token=" + token);
          isBuilding |= answer.status() == 202;
          if (answer.status() == 200) {
            kept.add(answer.value("url").replaceAll(".*/exports/([^/]*)/.*", "$1"));
          }
        }
      }
      if (!isBuilding || System.nanoTime() > deadline) {
        return kept.size();
      }
      Thread.sleep(500);
    }
  }

  @FunctionalInterface
  private interface Making {
    Account.Answer make(int number) throws Exception;
  }

  private static Tally make(int count, Making making) throws Exception {
    var statuses = new Tally();
    long deadline = System.nanoTime() + EACH.toNanos();
    try (var threads = Executors.newFixedThreadPool(8)) {
      var all =
          threads.invokeAll(
              IntStream.range(0, count).mapToObj(i -> one(making, i, deadline, statuses)).toList());
      all.forEach(Future::resultNow);
    }
    return statuses;
  }

  private static Callable<Void> one(Making making, int number, long deadline, Tally statuses) {
    return () -> {
      if (System.nanoTime() < deadline) {
        statuses.add(making.make(number).status());
      }
      return null;
    };
  }
}
