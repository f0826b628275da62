import io.vertx.core.http.HttpMethod;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * The speed of each path as a share of a floor that is measured in turns with it: PostgreSQL alone,
 * or a minimal server. {@code src/bench/run} calls it; docs/performance.md has results. Needs
 * pgbench on the path.
 *
 * <p>{@code -Dturns=5 -Dwarm=3 -Dseconds=3 -Dclients=16 -Dthings=1000,100000,1000000} set duration
 * and amount, {@code -Donly=page,start} the rows whose names contain one of the words, {@code
 * -Dnative=…} the native executable.
 */
final class Bench {
  /** How long the search index may take for all that was loaded. */
  private static final Duration MAX_INDEXING = Duration.ofMinutes(15);

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

  /** The operations of a streaming submission; its floor copies the rows of as many things. */
  private static final int STREAM = Math.min(THINGS, 100_000);

  private static final Path APPLICATION = Path.of("target/quarkus-app");
  private static final String JVM = "JVM";
  private static final String NATIVE = "native";

  private final Content content = new Content(SIZES, THINGS);
  private final Path directory;
  private final Map<String, List<String>> commands;
  private final Map<String, Service> subjects = new LinkedHashMap<>();
  private final Map<String, Map<String, double[]>> rates = new LinkedHashMap<>();
  private final Results results;
  private Database database;
  private PostgresFloor postgres;
  private BareServer bare;
  private String layers = "";

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
    int exit = 2;
    try (var directory = new TemporaryDirectory("cairn-bench")) {
      exit = new Bench(directory.path()).run() ? 0 : 1;
    } catch (Exception e) {
      e.printStackTrace();
    }
    // The client's threads would keep the process alive.
    System.exit(exit);
  }

  private static Map<String, List<String>> commands() throws IOException {
    var all = new LinkedHashMap<String, List<String>>();
    var java = new ArrayList<String>();
    // The cache fits only this class path, as the image has it.
    java.addAll(List.of("env", "--chdir=" + APPLICATION));
    java.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    if (Files.exists(APPLICATION.resolve("cairn.aot"))) {
      java.add("-XX:AOTCache=cairn.aot");
    }
    var options = Path.of("src/main/docker/jvm.options").toAbsolutePath();
    java.addAll(List.of("-XX:MaxRAM=1280m", "@" + options, "-jar", "quarkus-run.jar"));
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
      content.fill(keeper);
      awaitIndex();
      database.sql("vacuum analyze");
      var repository =
          UUID.fromString(
              database.sql(
                  "select id from repository where name = '" + Content.repository(THINGS) + "'"));
      postgres = new PostgresFloor(database, directory, repository);
      try (var server = BareServer.start(database, Load.CLIENTS, repository)) {
        bare = server;
        start();
        withServices(
            () -> {
              reads();
              layers();
              commits();
              events();
              growth();
            });
        deliveries();
        // Last, since the search index takes in for minutes what they write.
        withServices(this::bulk);
      }
    }
    compareNative();
    System.out.println(results.table());
    System.out.println(layers);
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
    service.usePersonalAccessToken("bench-" + content.next());
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

  /** Rows that are measured with all services running. */
  private interface Rows {
    void measure() throws Exception;
  }

  private void withServices(Rows rows) throws Exception {
    try {
      for (var subject : commands.keySet()) {
        subjects.put(subject, service(subject, "api"));
      }
      rows.measure();
    } finally {
      for (var service : subjects.values()) {
        service.close();
      }
      subjects.clear();
    }
  }

  /** Until the search index has taken in everything: each service would go on with it. */
  private void awaitIndex() throws Exception {
    long end = System.nanoTime() + MAX_INDEXING.toNanos();
    for (var due = ""; !due.equals("0"); Thread.sleep(100)) {
      due = database.sql("select count(*) from search_index where due_at is not null");
      if (System.nanoTime() > end) {
        throw new IllegalStateException(due + " repositories are still not indexed");
      }
    }
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
        s -> Load.each(_ -> get(s, Content.repository(THINGS), "/things/S/t" + random(THINGS))));
    row(
        "page of 50",
        0.7,
        () -> bare("/page", "t", THINGS),
        s -> Load.each(_ -> get(s, Content.repository(THINGS), "/head?shape=S&limit=50")));
    row(
        "history of 100 versions",
        0.7,
        () -> bare("/history", "h", Content.WITH_HISTORY),
        s ->
            Load.each(
                _ ->
                    get(
                        s,
                        Content.repository(THINGS),
                        "/history?limit=100&wref=S/h" + random(Content.WITH_HISTORY))));
    row("conditional read (304)", 0.4, () -> bare("/unchanged", "t", THINGS), Bench::unchanged);
    row("export, lines", 0.7, postgres::export, Bench::export);
  }

  private void layers() throws Exception {
    if (isWanted("layers")) {
      var thing = "/api/repos/bench/" + Content.repository(THINGS) + "/things/S/t1";
      layers = new Layers(bare, subjects, thing, TURNS, WARM).table();
    }
  }

  private void commits() throws Exception {
    row(
        "single commits, 16 clients, as many repositories",
        0.6,
        postgres::commits,
        s -> Load.each(i -> content.addOne(s, "r" + i)));
    row(
        "single commits, 16 clients, one repository",
        1.5,
        postgres::commitsOfOne,
        s -> Load.each(_ -> content.addOne(s, "r0")));
  }

  private void bulk() throws Exception {
    row(
        "commits of 10,000 operations, operations",
        0.6,
        () -> postgres.copy(Content.BATCH),
        this::operations);
    row(
        "a stream of %,d operations".formatted(STREAM),
        0.5,
        () -> postgres.copy(STREAM),
        s -> stream(s, false));
    row(
        "a stream of %,d operations, all or nothing".formatted(STREAM),
        0.5,
        () -> postgres.copy(STREAM),
        s -> stream(s, true));
  }

  private void events() throws Exception {
    if (!isWanted("commit to event")) {
      return;
    }
    awaitIndex();
    var cells = new LinkedHashMap<String, Results.Cell>();
    for (var subject : subjects.entrySet()) {
      double p99 = new Events(content).arrival(subject.getValue());
      cells.put(subject.getKey(), new Results.Cell("%.0f ms".formatted(p99), 50 / p99));
    }
    results.add("commit to event at 50/s, 100 clients, p99", "", "< 50 ms", cells);
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
    var path = "/api/repos/bench/" + Content.repository(THINGS) + "/head?shape=S&limit=50";
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
      lines +=
          service
              .get("/api/repos/bench/" + Content.repository(THINGS) + "/export")
              .body()
              .lines()
              .count();
    }
    return lines / Load.seconds(start);
  }

  private double operations(Service service) throws Exception {
    long start = System.nanoTime();
    long done = 0;
    while (Load.seconds(start) < Load.SECONDS) {
      content.addBulk(service);
      done += Content.BATCH;
    }
    return done / Load.seconds(start);
  }

  private double stream(Service service, boolean isAtomic) throws Exception {
    long start = System.nanoTime();
    long done = 0;
    while (Load.seconds(start) < Load.SECONDS) {
      content.stream(service, STREAM, isAtomic);
      done += STREAM;
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
    growth(
        "one thing", (s, size) -> get(s, Content.repository(size), "/things/S/t" + random(size)));
    growth("page of 50", (s, size) -> get(s, Content.repository(size), "/head?shape=S&limit=50"));
    growth("single commits", (s, size) -> content.addOne(s, Content.repository(size)));
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
    awaitIndex();
    var rateCells = new LinkedHashMap<String, double[]>();
    var arrivals = new LinkedHashMap<String, Results.Cell>();
    var floors = new double[TURNS];
    for (var subject : commands.keySet()) {
      try (var service = service(subject, "api,worker")) {
        var deliveries = new Deliveries(content, bare);
        deliveries.subscribe(service);
        var measured = new double[TURNS];
        for (int i = -WARM; i < TURNS; i++) {
          double floor = postgres.deliveries(deliveries::call);
          double rate = deliveries.rate(service);
          if (i >= 0) {
            floors[i] = floor;
            measured[i] = rate;
          }
        }
        rateCells.put(subject, measured);
        double p99 = deliveries.arrival(service);
        arrivals.put(subject, new Results.Cell("%.0f ms".formatted(p99), 50 / p99));
        deliveries.unsubscribe(service);
      }
      // Each subject has its own floor, since it is measured alone.
      add("deliveries (" + subject + ")", 0.5, floors, Map.of(subject, rateCells.get(subject)));
    }
    results.add("commit to arrival at 100/s, p99", "", "< 50 ms", arrivals);
  }
}
