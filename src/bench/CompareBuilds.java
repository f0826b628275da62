import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Compares two builds of the service, each on its own embedded PostgreSQL, with the same content:
 * load, reads, single commits, start, and memory, measured in turns, so that both have the same
 * conditions. The table shows the medians, and the ratios of the turns:
 *
 * <pre>
 * java -cp 'target/quarkus-app/lib/main/*' src/bench/CompareBuilds.java \\
 *     before/quarkus-run.jar after/quarkus-run.jar debian-packages.ndjson.gz
 * </pre>
 *
 * <p>The file has operations as {@link Operations} reads them; without a file the exit code is 2.
 * {@code -Dturns=5 -Dwarm=2 -Dseconds=4 -Dclients=16 -Dloads=2} set duration and amount.
 */
final class CompareBuilds {
  private static final int PORT = Integer.getInteger("port", 8650);
  private static final int TURNS = Integer.getInteger("turns", 5);
  private static final int WARM = Integer.getInteger("warm", 2);
  private static final int LOADS = Integer.getInteger("loads", 2);
  private static final int IDLE_MILLIS = 10_000;

  private static final AtomicLong NAMES = new AtomicLong();

  private final List<String> operations;
  private final List<String> packages;
  private final List<String> table = new ArrayList<>();
  private final Build before;
  private final Build after;

  /** Measures one build. */
  private interface Measurement {
    double of(Build build) throws Exception;
  }

  /** A build that runs. */
  private static final class Build implements AutoCloseable {
    private final Path jar;
    private final int port;
    private final TemporaryDirectory directory;
    private Service service;

    Build(Path jar, int port) throws IOException {
      this.jar = jar;
      this.port = port;
      this.directory = new TemporaryDirectory("cairn-compare");
    }

    /** Starts it again; returns the milliseconds until the first answer with content. */
    double restart(String path) throws Exception {
      stop();
      long start = System.nanoTime();
      service =
          Service.start(
              List.of(
                  Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                  "-Xmx512m",
                  "-jar",
                  jar.toString()),
              port,
              Map.of("CAIRN_DATA_DIR", directory.path().resolve("data").toString()),
              directory.path().resolve("log"));
      service.get(path);
      return Load.seconds(start) * 1000;
    }

    void stop() throws InterruptedException {
      if (service != null) {
        service.close();
      }
    }

    int read(String path) throws Exception {
      service.get("/api/repos/bench/r0" + path);
      return 1;
    }

    void commit(String repository, List<String> operations) throws Exception {
      Operations.commit(service, "/api/repos/bench/" + repository, operations);
    }

    @Override
    public void close() throws Exception {
      stop();
      directory.close();
    }
  }

  private CompareBuilds(List<String> operations, Build before, Build after) {
    this.operations = operations;
    this.packages =
        operations.stream().filter(Operations::isPackage).map(Operations::name).toList();
    this.before = before;
    this.after = after;
  }

  public static void main(String... args) throws Exception {
    if (args.length != 3 || !Files.exists(Path.of(args[2]))) {
      System.err.println("Two builds' quarkus-run.jar and a file of operations are needed.");
      System.exit(2);
    }
    var operations = Operations.read(Path.of(args[2]));
    try (var before = new Build(Path.of(args[0]), PORT);
        var after = new Build(Path.of(args[1]), PORT + 1)) {
      new CompareBuilds(operations, before, after).run();
    } catch (Exception e) {
      // The client's threads would keep the process alive.
      e.printStackTrace();
      System.exit(1);
    }
    System.exit(0);
  }

  private void run() throws Exception {
    for (var build : List.of(before, after)) {
      build.restart("/api/whoami");
      build.service.post("/api/orgs", Map.of("name", "bench"));
      for (int i = 0; i < Load.CLIENTS; i++) {
        build.service.post("/api/orgs/bench/repos", Map.of("name", "c" + i));
        build.commit(
            "c" + i,
            List.of(
                "{\"operation\":\"add\",\"name\":\"S\",\"data\":{\"fields\":{\"n\":\"number\"}}}"));
      }
    }
    var loads = new AtomicLong();
    line(
        "load, s",
        LOADS,
        build -> {
          var repository = "r" + loads.getAndIncrement() / 2;
          build.service.post("/api/orgs/bench/repos", Map.of("name", repository));
          long start = System.nanoTime();
          build.commit(repository, operations);
          return Load.seconds(start);
        });
    rate("one thing", (build, _) -> build.read("/things/" + any()));
    rate("page of 50", (build, _) -> build.read("/head?shape=Package&limit=50"));
    rate("glob page of 50", (build, _) -> build.read("/head?match=Package/lib*&limit=50"));
    rate("about", (build, _) -> build.read("/about/" + any()));
    rate("history of one thing", (build, _) -> build.read("/history?wref=" + any()));
    rate("refs", (build, _) -> build.read("/refs/" + any() + "?direction=inbound"));
    rate("commits of one operation, a repository for each client", (b, i) -> commit(b, "c" + i));
    rate("the same, one repository", (build, _) -> commit(build, "c0"));
    line("start, ms", TURNS, build -> build.restart("/api/repos/bench/r0/head?limit=1"));
    line(
        "idle memory, MiB",
        TURNS,
        build -> {
          build.restart("/api/whoami");
          Thread.sleep(IDLE_MILLIS);
          return build.service.residentMegabytes();
        });
    System.out.printf(
        "| %,d operations | Before | After | After / before, median (least to most) |%n"
            + "|---|---|---|---|%n",
        operations.size());
    table.forEach(System.out::println);
  }

  private String any() {
    return packages.get((int) (Math.random() * packages.size())).replace("+", "%2B");
  }

  private static int commit(Build build, String repository) throws Exception {
    build.commit(
        repository,
        List.of(
            "{\"operation\":\"add\",\"name\":\"S/n"
                + NAMES.incrementAndGet()
                + "\",\"data\":{\"n\":1}}"));
    return 1;
  }

  /** One client's request to a build. */
  private interface Request {
    int send(Build build, int client) throws Exception;
  }

  private void rate(String what, Request request) throws Exception {
    Measurement rate = build -> Load.each(i -> request.send(build, i));
    for (int i = 0; i < WARM; i++) {
      rate.of(before);
      rate.of(after);
    }
    line(what + ", /s", TURNS, rate);
  }

  private void line(String what, int turns, Measurement measurement) throws Exception {
    var olds = new double[turns];
    var news = new double[turns];
    for (int i = 0; i < turns; i++) {
      // The order alternates, because the first build finds other caches and conditions than the
      // second.
      if (i % 2 == 0) {
        olds[i] = measurement.of(before);
        news[i] = measurement.of(after);
      } else {
        news[i] = measurement.of(after);
        olds[i] = measurement.of(before);
      }
    }
    table.add(
        "| %s | %,.1f | %,.1f | %s |"
            .formatted(what, Turns.median(olds), Turns.median(news), Turns.ratios(news, olds)));
    System.err.println(table.getLast());
  }
}
