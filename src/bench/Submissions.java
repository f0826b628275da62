import io.vertx.core.http.HttpMethod;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/**
 * Loads real content as one atomic submission, as a submission that is applied as it comes, and as
 * commits of 10,000 operations, in turns, each into an empty repository:
 *
 * <pre>
 * java -cp 'target/quarkus-app/lib/main/*' src/bench/Submissions.java \\
 *     target/quarkus-app/quarkus-run.jar debian-packages.ndjson.gz
 * </pre>
 *
 * <p>The file has operations as {@link Operations} reads them; {@code -Doperations=100000} takes
 * only the first ones, and {@code -Dturns=3} is how often each is loaded after a first round. The
 * service has a heap of 512 MiB ({@code -Dheap=512m}) and no workers. It uses the database of
 * {@code CAIRN_DATABASE_URL} and its companions, if they are set; otherwise it has an embedded one,
 * in a temporary directory. It prints operations a second, and their ratio to those of commits in
 * the same turn.
 */
final class Submissions {
  private static final int PORT = Integer.getInteger("port", 8680);
  private static final int TURNS = Integer.getInteger("turns", 3);
  private static final int OPERATIONS = Integer.getInteger("operations", Integer.MAX_VALUE);

  private final Service service;
  private final List<String> operations;
  private final String lines;
  private final String organization = "submissions-" + System.currentTimeMillis();
  private int repositories;

  private Submissions(Service service, List<String> all) {
    this.service = service;
    this.operations = all.subList(0, Math.min(all.size(), OPERATIONS));
    this.lines = String.join("\n", operations);
  }

  public static void main(String... args) throws Exception {
    if (args.length != 2 || !Files.exists(Path.of(args[1]))) {
      System.err.println("A build's quarkus-run.jar and a file of operations are needed.");
      System.exit(2);
    }
    int exit = 1;
    try (var directory = new TemporaryDirectory("cairn-submissions");
        var service =
            Service.start(
                List.of(
                    Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                    "-Xmx" + System.getProperty("heap", "512m"),
                    "-jar",
                    args[0]),
                PORT,
                Map.of(
                    "CAIRN_DATA_DIR",
                    directory.path().resolve("data").toString(),
                    "CAIRN_ROLES",
                    "api"),
                directory.path().resolve("log"))) {
      new Submissions(service, Operations.read(Path.of(args[1]))).run();
      exit = 0;
    } catch (Exception e) {
      e.printStackTrace();
    }
    // The client's threads would keep the process alive.
    System.exit(exit);
  }

  private void run() throws Exception {
    service.post("/api/orgs", Map.of("name", organization));
    var commits = new double[TURNS];
    var atomic = new double[TURNS];
    var partial = new double[TURNS];
    for (int i = -1; i < TURNS; i++) {
      double first = rate(repository -> Operations.commit(service, repository, operations));
      double second = rate(repository -> submit(repository, true));
      double third = rate(repository -> submit(repository, false));
      System.out.printf("%,.0f, %,.0f, %,.0f%n", first, second, third);
      if (i >= 0) {
        commits[i] = first;
        atomic[i] = second;
        partial[i] = third;
      }
    }
    System.out.printf("%,d operations, in a second%n", operations.size());
    System.out.println("commits of 10,000: " + Turns.spread("%,.0f", commits));
    print("one atomic submission", atomic, commits);
    print("a submission that is applied as it comes", partial, commits);
    System.out.printf("memory of the service: %d MiB%n", service.residentMegabytes());
  }

  private static void print(String what, double[] rates, double[] commits) {
    System.out.printf(
        "%s: %s, ratio %s%n", what, Turns.spread("%,.0f", rates), Turns.ratios(rates, commits));
  }

  /** Loads all operations into a repository. */
  private interface Loading {
    void into(String repository) throws Exception;
  }

  /** Operations a second. */
  private double rate(Loading loading) throws Exception {
    var name = "r" + repositories++;
    service.post("/api/orgs/" + organization + "/repos", Map.of("name", name));
    var repository = "/api/repos/" + organization + "/" + name;
    service.send(
        HttpMethod.PATCH,
        repository,
        Map.of("Content-Type", "application/json"),
        "{\"settings\":{\"streams\":{\"enabled\":true}}}");
    long start = System.nanoTime();
    loading.into(repository);
    return operations.size() / Load.seconds(start);
  }

  private void submit(String repository, boolean isAtomic) throws Exception {
    var answer =
        service
            .send(
                HttpMethod.POST,
                repository + "/streams/s/submissions?atomic=" + isAtomic,
                Map.of("Content-Type", "application/x-ndjson"),
                lines)
            .body();
    if (!answer.contains("\"applied\":%d,".formatted(operations.size()))) {
      throw new IOException(answer.substring(Math.max(0, answer.length() - 1_000)));
    }
  }
}
