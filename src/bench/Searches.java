import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * Measures searches by words, by vectors and by both, in a repository with real content:
 *
 * <pre>
 * java -cp 'target/quarkus-app/lib/main/*' src/bench/Searches.java \\
 *     target/quarkus-app/quarkus-run.jar debian-packages.ndjson.gz
 * </pre>
 *
 * <p>The file has operations as {@link Operations} reads them. {@code -Dmore=604000} adds so many
 * copies of its packages under other names, and {@code -Drounds=5} is how often each query is sent.
 * It uses the database of {@code CAIRN_DATABASE_URL} and its companions, if they are set; otherwise
 * it has an embedded one, in a temporary directory. It prints the median, the 95th percentile and
 * the greatest of the times of each mode, in milliseconds; the first round is not measured.
 */
final class Searches {
  private static final int PORT = Integer.getInteger("port", 8670);
  private static final int MORE = Integer.getInteger("more", 0);
  private static final int ROUNDS = Integer.getInteger("rounds", 5);
  private static final String REPOSITORY = "/api/repos/bench/searched";
  private static final List<String> MODES = List.of("text", "vector", "hybrid");

  private static final List<String> QUERIES =
      List.of(
          "web browser",
          "postgresql client",
          "arabic fonts",
          "image viewer",
          "terminal emulator",
          "postgrsql",
          "thunderbrid",
          "mail server",
          "python library",
          "kernel headers",
          "font editor",
          "game of chess",
          "music player",
          "vector graphics",
          "network scanner",
          "compression",
          "static site generator",
          "spell checker",
          "ruby gem",
          "documentation");

  private final Service service;

  private Searches(Service service) {
    this.service = service;
  }

  public static void main(String... args) throws Exception {
    if (args.length != 2 || !Files.exists(Path.of(args[1]))) {
      System.err.println("A build's quarkus-run.jar and a file of operations are needed.");
      System.exit(2);
    }
    int exit = 1;
    try (var directory = new TemporaryDirectory("cairn-searches");
        var service =
            Service.start(
                List.of(
                    Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                    "-Xmx1500m",
                    "-jar",
                    args[0]),
                PORT,
                Map.of("CAIRN_DATA_DIR", directory.path().resolve("data").toString()),
                directory.path().resolve("log"))) {
      new Searches(service).run(Operations.read(Path.of(args[1])));
      exit = 0;
    } catch (Exception e) {
      e.printStackTrace();
    }
    // The client's threads would keep the process alive.
    System.exit(exit);
  }

  private void run(List<String> operations) throws Exception {
    service.post("/api/orgs", Map.of("name", "bench"));
    service.post("/api/orgs/bench/repos", Map.of("name", "searched"));
    var packages = operations.stream().filter(Operations::isPackage).toList();
    Operations.commit(service, REPOSITORY, operations);
    Operations.commit(
        service,
        REPOSITORY,
        Stream.iterate(1, copy -> copy + 1)
            .flatMap(copy -> packages.stream().map(line -> copied(line, copy)))
            .limit(MORE)
            .toList());
    awaitIndexes();
    System.out.printf("%,d entities%n%n", operations.size() + MORE);
    System.out.println("| Mode | p50, ms | p95, ms | Most, ms |\n|---|---|---|---|");
    for (var mode : MODES) {
      var times = new double[ROUNDS * QUERIES.size()];
      for (int i = -QUERIES.size(); i < times.length; i++) {
        long start = System.nanoTime();
        search(mode, QUERIES.get(Math.floorMod(i, QUERIES.size())), "");
        if (i >= 0) {
          times[i] = Load.seconds(start) * 1000;
        }
      }
      Arrays.sort(times);
      System.out.printf(
          "| `%s` | %.1f | %.1f | %.1f |%n",
          mode, times[times.length / 2], times[times.length * 95 / 100], times[times.length - 1]);
    }
  }

  private static String copied(String line, int copy) {
    return line.replaceFirst("\"name\":\"Package/", "\"name\":\"Package/v" + copy + "-")
        .replaceFirst("\"summary\":\"", "\"summary\":\"variant " + copy + " of ");
  }

  private String search(String mode, String query, String more) throws Exception {
    return service
        .get(
            REPOSITORY
                + "/search?limit=10&mode="
                + mode
                + "&q="
                + URLEncoder.encode(query, StandardCharsets.UTF_8)
                + more)
        .body();
  }

  /** Waits for the words, and for the vectors, of the last commit. */
  private void awaitIndexes() throws Exception {
    var seq = service.get(REPOSITORY).body().replaceFirst("(?s).*\"repoSeq\":(\\d+).*", "$1");
    for (var mode : MODES) {
      while (!search(mode, "x", "&wait=" + seq).contains("\"indexedSeq\":" + seq)) {
        Thread.sleep(100);
      }
    }
  }
}
