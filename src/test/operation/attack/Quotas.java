import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** A6: what one stranger can fill the disk with. */
final class Quotas {
  private static final Duration EACH = Scale.seconds("seconds", 30);
  private static final long MAX_DISK_BYTES = (long) Scale.count("gigabytes", 6) << 30;
  private static final int REPOSITORIES = 600;
  private static final int ORGANIZATIONS = 40;
  private static final int COMMITS = Scale.count(5);
  private static final int MEGABYTES_OF_COMMIT = 12;
  private static final int THREADS = 8;
  private static final List<String> EXPORTED = List.of("eve/one", "eve/two", "eve/three");

  /** The quotas of a service with its default settings. */
  private static final int QUOTA_OF_REPOSITORIES = 500;

  private static final int QUOTA_OF_ORGANIZATIONS = 20;
  private static final int QUOTA_OF_EXPORTS = 3;

  /** The rate of new repositories by default: this many at once, and as many in each minute. */
  private static final int REPOSITORIES_PER_MINUTE = 30;

  /** The quota of bytes, which is 10 GiB by default, so that it is reached in time. */
  private static final int QUOTA_OF_MEBIBYTES = Scale.count(320);

  private static final Duration UNTIL_QUOTA = Duration.ofSeconds(60);

  /** The settings with which the quotas are reached, other than by waiting for hours. */
  private static final Map<String, String> WITHOUT_RATES =
      Map.of(
          "CAIRN_LIMITS_REPOSITORIES_PER_MINUTE", "0",
          "CAIRN_LIMITS_ORGANIZATIONS_PER_HOUR", "0",
          "CAIRN_QUOTAS_BYTES_PER_ORGANIZATION", "" + ((long) QUOTA_OF_MEBIBYTES << 20));

  private final Service service;
  private final Account eve;
  private final Map<String, Queue<String>> exportTokens =
      EXPORTED.stream().collect(Collectors.toMap(name -> name, _ -> new ConcurrentLinkedQueue<>()));

  private Quotas(Service service, Account eve) {
    this.service = service;
    this.eve = eve;
  }

  /** Content, exports, repositories, and organizations by default. */
  static Result run() throws Exception {
    try (var service = Service.start(Map.of());
        var eve = Account.signUp(service, "eve");
        var prober = Prober.start(service)) {
      prober.endPhase();
      return new Quotas(service, eve).attack(prober);
    }
  }

  private Result attack(Prober prober) throws Exception {
    long empty = service.diskBytes();
    long begin = System.nanoTime();
    var content = timed(this::fill);
    long filled = service.diskBytes();
    var asked = timed(this::exports);
    var kept = keptExports();
    long exported = service.diskBytes();
    var repositories = timed(this::repositories);
    var organizations = timed(this::organizations);
    int made = repositories.tally.count("201") + EXPORTED.size();
    return prober.result(
        """
        content: %,d MB on disk (commits %s); exports: %,d MB kept as %d exports, %,d MB on disk \
        (asked: %s); repositories: %s; organizations: %s"""
            .formatted(
                (filled - empty) >> 20,
                content,
                kept.values().stream().mapToLong(Long::longValue).sum() >> 20,
                kept.size(),
                (exported - filled) >> 20,
                asked,
                repositories,
                organizations),
        kept.size() <= QUOTA_OF_EXPORTS * EXPORTED.size()
            && made <= REPOSITORIES_PER_MINUTE * (1 + (seconds(begin) + 1) / 60.0)
            && organizations.tally.count("201") < QUOTA_OF_ORGANIZATIONS);
  }

  /** Stored bytes, repositories, and organizations until the quotas, which rates would delay. */
  static Result withoutRates() throws Exception {
    try (var service = Service.start(WITHOUT_RATES);
        var eve = Account.signUp(service, "eve");
        var prober = Prober.start(service)) {
      prober.endPhase();
      return new Quotas(service, eve).attackWithoutRates(prober);
    }
  }

  private Result attackWithoutRates(Prober prober) throws Exception {
    long empty = service.diskBytes();
    var content = timed(this::fillToQuota);
    long filled = service.diskBytes();
    var repositories = timed(this::repositories);
    var organizations = timed(this::organizations);
    return prober.result(
        "content until %d MiB: %,d MB on disk (commits %s); repositories: %s; organizations: %s"
            .formatted(
                QUOTA_OF_MEBIBYTES, (filled - empty) >> 20, content, repositories, organizations),
        content.tally.count("413") > 0
            && content.tally.count("201") * MEGABYTES_OF_COMMIT <= QUOTA_OF_MEBIBYTES
            && repositories.tally.count("201") < QUOTA_OF_REPOSITORIES
            && organizations.tally.count("201") < QUOTA_OF_ORGANIZATIONS);
  }

  /** The answers to requests of one kind, and how long all took. */
  private record Timed(Tally tally, double seconds) {
    @Override
    public String toString() {
      return "%s in %.1f s".formatted(tally, seconds);
    }
  }

  @FunctionalInterface
  private interface Requests {
    Tally send() throws Exception;
  }

  private static Timed timed(Requests requests) throws Exception {
    long begin = System.nanoTime();
    return new Timed(requests.send(), seconds(begin));
  }

  private static double seconds(long begin) {
    return (System.nanoTime() - begin) / 1e9;
  }

  private Tally repositories() throws Exception {
    return make(
        REPOSITORIES, i -> eve.post("/api/orgs/eve/repos", name("repository-" + i)).status());
  }

  private Tally organizations() throws Exception {
    return make(ORGANIZATIONS, i -> eve.post("/api/orgs", name("eve-and-" + i)).status());
  }

  private static String name(String name) {
    return "{\"name\":\"" + name + "\"}";
  }

  private Tally fill() throws Exception {
    var statuses = new Tally();
    for (var repository : EXPORTED) {
      makeRepository(repository);
      for (int i = 0; i < COMMITS; i++) {
        statuses.add(fill(repository, i));
      }
    }
    return statuses;
  }

  /** Commits to all repositories at once, until one was refused or the time is over. */
  private Tally fillToQuota() throws Exception {
    var statuses = new Tally();
    var isFull = new AtomicBoolean();
    long deadline = System.nanoTime() + UNTIL_QUOTA.toNanos();
    try (var threads = Executors.newFixedThreadPool(EXPORTED.size())) {
      var all =
          EXPORTED.stream()
              .map(
                  repository ->
                      threads.submit(
                          () -> {
                            makeRepository(repository);
                            for (int i = 0; !isFull.get() && System.nanoTime() < deadline; i++) {
                              int status = fill(repository, i);
                              statuses.add(status);
                              isFull.compareAndSet(false, status == 413);
                            }
                            return null;
                          }))
              .toList();
      for (Future<?> one : all) {
        one.get();
      }
    }
    return statuses;
  }

  private int fill(String repository, int commit) throws Exception {
    return eve.commit(repository, megabytes(commit, MEGABYTES_OF_COMMIT)).status();
  }

  private void makeRepository(String repository) throws Exception {
    var parts = repository.split("/");
    eve.makeRepository(parts[0], parts[1], "private");
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
    for (int i = 0; System.nanoTime() < deadline && service.diskBytes() < MAX_DISK_BYTES; i++) {
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

  /** The exports that can be downloaded when all were built, each once, with their bytes. */
  private Map<String, Long> keptExports() throws Exception {
    long deadline = System.nanoTime() + EACH.toNanos();
    var kept = new HashMap<String, Long>();
    while (true) {
      boolean isBuilding = false;
      for (var repository : EXPORTED) {
        for (var token : exportTokens.get(repository)) {
          var answer = eve.get("/api/repos/" + repository + "/export?token=" + token);
          isBuilding |= answer.status() == 202;
          if (answer.status() == 200) {
            var url = answer.value("url");
            kept.put(url.replaceAll(".*/exports/([^/]*)/.*", "$1"), eve.contentBytes(url));
          } else if (answer.status() != 202) {
            exportTokens.get(repository).remove(token);
          }
        }
      }
      if (!isBuilding || System.nanoTime() > deadline) {
        return kept;
      }
      Thread.sleep(500);
    }
  }

  @FunctionalInterface
  private interface Making {
    /** The status of the answer. */
    int make(int number) throws Exception;
  }

  private static Tally make(int count, Making making) throws Exception {
    var statuses = new Tally();
    long deadline = System.nanoTime() + EACH.toNanos();
    try (var threads = Executors.newFixedThreadPool(THREADS)) {
      var all =
          IntStream.range(0, count)
              .mapToObj(i -> threads.submit(() -> one(making, i, deadline, statuses)))
              .toList();
      for (Future<?> one : all) {
        one.get();
      }
    }
    return statuses;
  }

  private static Void one(Making making, int number, long deadline, Tally statuses)
      throws Exception {
    if (System.nanoTime() < deadline) {
      statuses.add(making.make(number));
    }
    return null;
  }
}
