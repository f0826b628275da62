import io.vertx.core.http.HttpMethod;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * The speed of each path as a share of a floor that is measured in turns with it: PostgreSQL alone,
 * or a minimal server. {@code src/bench/run} calls it; docs/capacity.md has results. Needs pgbench
 * on the path.
 *
 * <p>{@code -Dturns=5 -Dwarm=3 -Dseconds=3 -Dclients=16 -Dthings=1000,100000,1000000} set duration
 * and amount, {@code -Donly=page,start} the rows whose names contain one of the words, {@code
 * -Dnative=…} the native executable.
 */
final class Bench {
  private static final int PORT = Integer.getInteger("port", 8640);
  private static final int TURNS = Integer.getInteger("turns", 5);
  private static final int WARM = Integer.getInteger("warm", 3);
  private static final List<String> ONLY =
      List.of(System.getProperty("only", "").toLowerCase().split(","));
  private static final List<Integer> SIZES =
      Stream.of(System.getProperty("things", "1000,100000,1000000").split(","))
          .map(Integer::parseInt)
          .toList();

  /** Of the repository for everything but growth. */
  private static final int THINGS = SIZES.get(Math.min(1, SIZES.size() - 1));

  private static final int BATCH = 10_000;
  private static final int WITH_HISTORY = 20;
  private static final int VERSIONS = 100;
  private static final int PACE = 100;
  private static final Path APPLICATION = Path.of("target/quarkus-app");
  private static final String JVM = "JVM";
  private static final String NATIVE = "native";

  private final AtomicLong names = new AtomicLong();
  private final Path directory;
  private final Map<String, List<String>> commands;
  private final Map<String, Service> subjects = new LinkedHashMap<>();
  private final Map<String, Map<String, double[]>> rates = new LinkedHashMap<>();
  private final Results results;
  private Database database;
  private PostgresFloor postgres;
  private BareServer bare;

  /** Measures a floor: a number of events a second. */
  private interface Floor {
    double measure() throws Exception;
  }

  /** Measures a service: a number of events a second. */
  private interface Rate {
    double of(Service service) throws Exception;
  }

  private Bench(Path directory) throws IOException {
    this.directory = directory;
    this.commands = commands();
    this.results = new Results(List.copyOf(commands.keySet()));
  }

  public static void main(String... arguments) throws Exception {
    var directory = Files.createTempDirectory("cairn-bench");
    var bench = new Bench(directory);
    int exit = 2;
    try {
      exit = bench.run() ? 0 : 1;
    } catch (Exception e) {
      e.printStackTrace();
    } finally {
      try (var files = Files.walk(directory)) {
        files.sorted(Comparator.reverseOrder()).map(Path::toFile).forEach(f -> f.delete());
      }
    }
    // The client's threads would keep the process alive.
    System.exit(exit);
  }

  private static Map<String, List<String>> commands() throws IOException {
    var all = new LinkedHashMap<String, List<String>>();
    var java = new ArrayList<String>();
    java.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    if (Files.exists(APPLICATION.resolve("cairn.aot"))) {
      java.add("-XX:AOTCache=" + APPLICATION.resolve("cairn.aot"));
    }
    java.addAll(List.of("-XX:MaxRAM=768m", "@src/main/docker/jvm.options", "-jar"));
    java.add(APPLICATION.resolve("quarkus-run.jar").toString());
    all.put(JVM, java);
    var executable = System.getProperty("native", "");
    if (!executable.isEmpty()) {
      all.put(NATIVE, List.of(executable, "-Xmx512m"));
    }
    return all;
  }

  /** Returns whether nothing is missed. */
  private boolean run() throws Exception {
    var data = directory.resolve("data");
    // It only keeps the database, so that the measured services come and go.
    try (var keeper =
        Service.start(
            commands.get(JVM),
            PORT,
            Map.of("CAIRN_DATA_DIR", data.toString(), "CAIRN_ROLES", "api"),
            directory.resolve("keeper.log"))) {
      database = Database.of(data);
      fill(keeper);
      var repository =
          UUID.fromString(database.sql("select id from repository where name = '" + big() + "'"));
      postgres = new PostgresFloor(database, directory, repository);
      try (var server = BareServer.start(database, Load.CLIENTS, repository)) {
        bare = server;
        start();
        try {
          startAll();
          reads();
          commits();
          growth();
        } finally {
          endAll();
        }
        deliveries();
      }
    }
    compareNative();
    System.out.println(results.table());
    Files.writeString(Path.of("target/bench.svg"), results.picture());
    return !results.isAnyMissed();
  }

  // Services.

  private Service service(String subject, String roles) throws Exception {
    int index = List.copyOf(commands.keySet()).indexOf(subject) + 1;
    var settings = new LinkedHashMap<>(databaseSettings());
    settings.put("CAIRN_ROLES", roles);
    var service =
        Service.start(
            commands.get(subject), PORT + index, settings, directory.resolve(subject + ".log"));
    service.usePersonalAccessToken("bench-" + names.incrementAndGet());
    return service;
  }

  private Map<String, String> databaseSettings() {
    return Map.of(
        "CAIRN_DATABASE_URL",
        database.jdbcUrl(),
        "CAIRN_DATABASE_USER",
        database.user(),
        "CAIRN_DATABASE_PASSWORD",
        database.password());
  }

  private void startAll() throws Exception {
    for (var subject : commands.keySet()) {
      subjects.put(subject, service(subject, "api"));
    }
  }

  private void endAll() throws Exception {
    for (var service : subjects.values()) {
      service.close();
    }
    subjects.clear();
  }

  // Content.

  private static String name(int size) {
    return "t" + size;
  }

  private static String big() {
    return name(THINGS);
  }

  private void fill(Service service) throws Exception {
    System.err.println("filling");
    service.post("/api/orgs", Map.of("name", "bench"));
    var repositories =
        Stream.concat(
                IntStream.range(0, Load.CLIENTS).mapToObj(i -> "r" + i),
                Stream.concat(Stream.of("bulk"), SIZES.stream().map(Bench::name)))
            .toList();
    for (var repository : repositories) {
      service.post("/api/orgs/bench/repos", Map.of("name", repository));
      service.post(
          "/api/repos/bench/" + repository + "/commits",
          "{\"operations\":[{\"operation\":\"add\",\"name\":\"S\",\"data\":{\"fields\":{\"n\":\"number\",\"text\":\"string\"}}}]}");
      // Each repository counts for the limit of changes.
      Thread.sleep(50);
    }
    for (int size : SIZES) {
      for (int i = 0; i < size; i += BATCH) {
        batch(service, name(size), "add", "t", i, Math.min(BATCH, size - i));
      }
    }
    batch(service, big(), "add", "h", 0, WITH_HISTORY);
    for (int i = 1; i < VERSIONS; i++) {
      revise(service, i);
    }
    database.sql("vacuum analyze");
  }

  private static String operation(String operation, String name, long n) {
    return "{\"operation\":\""
        + operation
        + "\",\"name\":\"S/"
        + name
        + "\",\"data\":{\"n\":"
        + n
        + ",\"text\":\"a hundred bytes of text, as a small record of something has them in it here, more or less\"}}";
  }

  private static void batch(
      Service service, String repository, String operation, String prefix, long from, int count)
      throws Exception {
    commit(
        service,
        repository,
        IntStream.range(0, count).mapToObj(i -> operation(operation, prefix + (from + i), 1)));
  }

  private static void revise(Service service, int n) throws Exception {
    commit(
        service,
        big(),
        IntStream.range(0, WITH_HISTORY).mapToObj(i -> operation("revise", "h" + i, n)));
  }

  private static void commit(Service service, String repository, Stream<String> operations)
      throws Exception {
    service.post(
        "/api/repos/bench/" + repository + "/commits",
        operations.collect(Collectors.joining(",", "{\"operations\":[", "]}")));
  }

  private int commitOne(Service service, String repository) throws Exception {
    batch(service, repository, "add", "c", names.incrementAndGet(), 1);
    return 1;
  }

  private static int get(Service service, String repository, String path) throws Exception {
    service.get("/api/repos/bench/" + repository + path);
    return 1;
  }

  private static int random(int size) {
    return (int) (Math.random() * size);
  }

  // Rows.

  private void reads() throws Exception {
    row(
        "one thing, private repository, by a token",
        0.7,
        () -> bare("/thing", "t", THINGS),
        s -> Load.each(_ -> get(s, big(), "/things/S/t" + random(THINGS))));
    row(
        "page of 50",
        0.7,
        () -> bare("/page", "t", THINGS),
        s -> Load.each(_ -> get(s, big(), "/head?shape=S&limit=50")));
    row(
        "history of 100 versions",
        0.7,
        () -> bare("/history", "h", WITH_HISTORY),
        s -> Load.each(_ -> get(s, big(), "/history?limit=100&wref=S/h" + random(WITH_HISTORY))));
    row("conditional read (304)", 0.4, () -> bare("/unchanged", "t", THINGS), Bench::unchanged);
    row("export, lines", 0.7, postgres::export, Bench::export);
  }

  private void commits() throws Exception {
    row(
        "single commits, 16 clients, as many repositories",
        0.6,
        postgres::commits,
        s -> Load.each(i -> commitOne(s, "r" + i)));
    row(
        "single commits, 16 clients, one repository",
        1.5,
        postgres::commitsOfOne,
        s -> Load.each(_ -> commitOne(s, "r0")));
    row(
        "commits of 10,000 operations, operations",
        0.6,
        () -> postgres.copy(BATCH),
        this::operations);
  }

  private double bare(String path, String prefix, int size) throws Exception {
    return Load.each(
        _ -> {
          bare.client.expect(
              HttpMethod.GET, bare.url(path) + "?" + prefix + random(size), Map.of(), null);
          return 1;
        });
  }

  private static double unchanged(Service service) throws Exception {
    var path = "/api/repos/bench/" + big() + "/head?shape=S&limit=50";
    var condition = Map.of("If-None-Match", service.get(path).headers().get("ETag"));
    return Load.each(
        _ -> {
          int status = service.send(HttpMethod.GET, path, condition, null).status();
          if (status != 304) {
            throw new IOException("status " + status);
          }
          return 1;
        });
  }

  private static double export(Service service) throws Exception {
    long start = System.nanoTime();
    long lines = 0;
    while (Load.seconds(start) < Load.SECONDS) {
      lines += service.get("/api/repos/bench/" + big() + "/export").body().lines().count();
    }
    return lines / Load.seconds(start);
  }

  private double operations(Service service) throws Exception {
    long start = System.nanoTime();
    long done = 0;
    while (Load.seconds(start) < Load.SECONDS) {
      batch(service, "bulk", "add", "b", names.getAndAdd(BATCH), BATCH);
      done += BATCH;
    }
    return done / Load.seconds(start);
  }

  private static boolean isWanted(String what) {
    return ONLY.stream().anyMatch(word -> what.toLowerCase().contains(word));
  }

  private void row(String what, double aim, Floor floor, Rate rate) throws Exception {
    if (!isWanted(what)) {
      return;
    }
    var floors = new double[TURNS];
    var measured = new LinkedHashMap<String, double[]>();
    subjects.keySet().forEach(subject -> measured.put(subject, new double[TURNS]));
    for (int i = -WARM; i < TURNS; i++) {
      double one = floor.measure();
      if (i >= 0) {
        floors[i] = one;
      }
      for (var subject : subjects.entrySet()) {
        double other = rate.of(subject.getValue());
        if (i >= 0) {
          measured.get(subject.getKey())[i] = other;
        }
      }
    }
    rates.put(what, measured);
    add(what, aim, floors, measured);
  }

  private void add(String what, double aim, double[] floors, Map<String, double[]> measured) {
    var cells = new LinkedHashMap<String, Results.Cell>();
    measured.forEach(
        (subject, rate) ->
            cells.put(
                subject,
                new Results.Cell(
                    "%,.0f/s, %s".formatted(Turns.median(rate), Turns.ratios(rate, floors)),
                    shares(i -> rate[i] / floors[i] / aim, rate.length))));
    results.add(what, "%,.0f/s".formatted(Turns.median(floors)), "≥ " + aim, cells);
  }

  /** One turn's share. */
  private interface Share {
    double of(int turn);
  }

  private static double[] shares(Share share, int turns) {
    return IntStream.range(0, turns).mapToDouble(share::of).toArray();
  }

  /** The same path in a small, a middle and a large repository, as rates of the smallest. */
  private void growth() throws Exception {
    growth("one thing", (s, size) -> get(s, name(size), "/things/S/t" + random(size)));
    growth("page of 50", (s, size) -> get(s, name(size), "/head?shape=S&limit=50"));
    growth("single commits", (s, size) -> commitOne(s, name(size)));
  }

  /** A request to a repository of a size. */
  private interface Sized {
    int send(Service service, int size) throws Exception;
  }

  private void growth(String what, Sized request) throws Exception {
    int small = SIZES.getFirst();
    for (int size : SIZES.subList(1, SIZES.size())) {
      var full = "growth: %s, %,d things".formatted(what, size);
      if (isWanted(full)) {
        var cells = new LinkedHashMap<String, Results.Cell>();
        for (var subject : subjects.entrySet()) {
          var ratios = new double[TURNS];
          for (int i = -1; i < TURNS; i++) {
            double few = Load.each(_ -> request.send(subject.getValue(), small));
            double many = Load.each(_ -> request.send(subject.getValue(), size));
            ratios[Math.max(0, i)] = few / many;
          }
          cells.put(
              subject.getKey(),
              new Results.Cell(
                  "%.2f times".formatted(Turns.median(ratios)),
                  shares(i -> 1.3 / ratios[i], TURNS)));
        }
        results.add(full, "%,d things".formatted(small), "≤ 1.3 times", cells);
      }
    }
  }

  private void compareNative() {
    if (!commands.containsKey(NATIVE)) {
      return;
    }
    rates.forEach(
        (what, measured) -> {
          var onJvm = measured.get(JVM);
          var other = measured.get(NATIVE);
          results.add(
              "native against JVM: " + what,
              "%,.0f/s".formatted(Turns.median(onJvm)),
              "≥ 0.8",
              Map.of(
                  NATIVE,
                  new Results.Cell(
                      Turns.ratios(other, onJvm), shares(i -> other[i] / onJvm[i] / 0.8, TURNS))));
        });
  }

  // Start and memory.

  private void start() throws Exception {
    if (!isWanted("start, idle memory")) {
      return;
    }
    var starts = new LinkedHashMap<String, Results.Cell>();
    var memories = new LinkedHashMap<String, Results.Cell>();
    for (var subject : commands.entrySet()) {
      var settings = new LinkedHashMap<>(Service.SETTINGS);
      settings.putAll(databaseSettings());
      var command = new ArrayList<>(List.of("src/bench/start.sh"));
      command.addAll(subject.getValue());
      var said = Programs.run(settings, command.toArray(String[]::new));
      var found =
          Pattern.compile("first answer (\\d+) ms \\((\\d+) to (\\d+)\\).*idle (\\d+) MiB")
              .matcher(said);
      if (!found.find()) {
        throw new IllegalStateException(said);
      }
      boolean isNative = subject.getKey().equals(NATIVE);
      double most = isNative ? 60 : 1000;
      starts.put(
          subject.getKey(),
          new Results.Cell(
              "%s ms (%s to %s)".formatted(found.group(1), found.group(2), found.group(3)),
              Stream.of(3, 1, 2)
                  .mapToDouble(i -> most / Double.parseDouble(found.group(i)))
                  .toArray()));
      memories.put(
          subject.getKey(),
          new Results.Cell(
              found.group(4) + " MiB", (isNative ? 80 : 250) / Double.parseDouble(found.group(4))));
    }
    results.add("start to the first answer", "", "native < 60 ms, JVM < 1 s", starts);
    results.add("idle memory", "", "native < 80 MiB, JVM < 250 MiB", memories);
  }

  // Deliveries.

  private void deliveries() throws Exception {
    if (!isWanted("deliveries, commit to arrival")) {
      return;
    }
    var rateCells = new LinkedHashMap<String, double[]>();
    var arrivals = new LinkedHashMap<String, Results.Cell>();
    var floors = new double[TURNS];
    for (var subject : commands.keySet()) {
      try (var service = service(subject, "api,worker")) {
        subscribe(service);
        var measured = new double[TURNS];
        for (int i = -WARM; i < TURNS; i++) {
          double floor = postgres.deliveries(this::call);
          double rate = delivered(service);
          if (i >= 0) {
            floors[i] = floor;
            measured[i] = rate;
          }
        }
        rateCells.put(subject, measured);
        double p99 = arrival(service);
        arrivals.put(subject, new Results.Cell("%.0f ms".formatted(p99), 50 / p99));
        for (int i = 0; i < Load.CLIENTS; i++) {
          service.send(HttpMethod.DELETE, "/api/repos/bench/r" + i + "/subs/s", Map.of(), null);
        }
      }
      // Each subject has its own floor, since it is measured alone.
      add("deliveries (" + subject + ")", 0.5, floors, Map.of(subject, rateCells.get(subject)));
    }
    results.add("commit to arrival at 100/s, p99", "", "< 50 ms", arrivals);
  }

  private void subscribe(Service service) throws Exception {
    for (int i = 0; i < Load.CLIENTS; i++) {
      service.post(
          "/api/repos/bench/r" + i + "/subs",
          "{\"name\":\"s\",\"kind\":\"webhook\",\"shapeName\":\"S\",\"filterJson\":{},\"webhookUrl\":\""
              + bare.url("/sink")
              + "\"}");
    }
  }

  private void call(String body) throws Exception {
    bare.client.expect(HttpMethod.POST, bare.url("/sink"), Map.of(), body);
  }

  private double delivered(Service service) throws Exception {
    var taken = new AtomicInteger();
    var made = new AtomicInteger();
    bare.sink = _ -> taken.incrementAndGet();
    long start = System.nanoTime();
    Load.each(i -> made.addAndGet(commitOne(service, "r" + i)));
    while (taken.get() < made.get()) {
      Thread.sleep(2);
    }
    double rate = made.get() / Load.seconds(start);
    bare.sink = _ -> {};
    return rate;
  }

  /** Milliseconds from sending a commit to the call of its webhook, in 99 of 100 cases. */
  private double arrival(Service service) throws Exception {
    var sent = new ConcurrentHashMap<String, Long>();
    var took = new ConcurrentLinkedQueue<Double>();
    var name = Pattern.compile("S/(c\\d+)");
    bare.sink =
        body -> {
          var found = name.matcher(body);
          if (found.find() && sent.containsKey(found.group(1))) {
            took.add(Load.seconds(sent.get(found.group(1))) * 1000);
          }
        };
    int count = PACE * Load.SECONDS * 3;
    long start = System.nanoTime();
    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      for (int i = 0; i < count; i++) {
        long due = start + i * (1_000_000_000L / PACE);
        Thread.sleep(Math.max(0, (due - System.nanoTime()) / 1_000_000));
        int repository = i % Load.CLIENTS;
        threads.submit(
            () -> {
              long n = names.incrementAndGet();
              sent.put("c" + n, System.nanoTime());
              batch(service, "r" + repository, "add", "c", n, 1);
              return null;
            });
      }
    }
    while (took.size() < count) {
      Thread.sleep(2);
    }
    bare.sink = _ -> {};
    var sorted = took.stream().mapToDouble(Double::doubleValue).toArray();
    Arrays.sort(sorted);
    return sorted[sorted.length * 99 / 100];
  }
}
