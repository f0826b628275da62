import io.vertx.core.http.HttpMethod;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import java.util.stream.Stream;

/** What the measured repositories hold, and the commits that add to it. */
final class Content {
  static final int BATCH = 10_000;

  /** Things with {@link #VERSIONS} versions. */
  static final int WITH_HISTORY = 20;

  private static final int VERSIONS = 100;

  private final AtomicLong names = new AtomicLong();
  private final List<Integer> sizes;
  private final int things;

  /**
   * Content that is not stored yet.
   *
   * @param sizes of the repositories for growth, in things
   * @param things the one of them that also has things with a history
   */
  Content(List<Integer> sizes, int things) {
    this.sizes = sizes;
    this.things = things;
  }

  /** A number that nothing else has. */
  long next() {
    return names.incrementAndGet();
  }

  /** The repository of a size. */
  static String repository(int size) {
    return "t" + size;
  }

  /** Creates the organization, its repositories and what is in them. */
  void fill(Service service) throws Exception {
    System.err.println("filling");
    service.post("/api/orgs", Map.of("name", "bench"));
    var repositories =
        Stream.concat(
                IntStream.range(0, Load.CLIENTS).mapToObj(i -> "r" + i),
                Stream.concat(Stream.of("bulk"), sizes.stream().map(Content::repository)))
            .toList();
    for (var repository : repositories) {
      service.post("/api/orgs/bench/repos", Map.of("name", repository));
      service.post(
          "/api/repos/bench/" + repository + "/commits",
          "{\"operations\":[{\"operation\":\"add\",\"name\":\"S\",\"data\":{\"fields\":{\"n\":\"number\",\"text\":\"string\"}}}]}");
      // Each repository counts for the limit of changes.
      Thread.sleep(50);
    }
    service.send(
        HttpMethod.PATCH,
        "/api/repos/bench/bulk",
        Map.of("Content-Type", "application/json"),
        "{\"settings\":{\"streams\":{\"enabled\":true}}}");
    for (int size : sizes) {
      for (int i = 0; i < size; i += BATCH) {
        batch(service, repository(size), "add", "t", i, Math.min(BATCH, size - i));
      }
    }
    batch(service, repository(things), "add", "h", 0, WITH_HISTORY);
    for (int i = 1; i < VERSIONS; i++) {
      revise(service, i);
    }
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

  private void revise(Service service, int n) throws Exception {
    commit(
        service,
        repository(things),
        IntStream.range(0, WITH_HISTORY).mapToObj(i -> operation("revise", "h" + i, n)));
  }

  private static void commit(Service service, String repository, Stream<String> operations)
      throws Exception {
    service.post(
        "/api/repos/bench/" + repository + "/commits",
        operations.collect(Collectors.joining(",", "{\"operations\":[", "]}")));
  }

  /** Commits one operation; returns how many. */
  int addOne(Service service, String repository) throws Exception {
    batch(service, repository, "add", "c", names.incrementAndGet(), 1);
    return 1;
  }

  /** Commits one thing under a name that is known before. */
  static void add(Service service, String repository, long n) throws Exception {
    batch(service, repository, "add", "c", n, 1);
  }

  /** Commits as many operations as a commit may have. */
  void addBulk(Service service) throws Exception {
    batch(service, "bulk", "add", "b", names.getAndAdd(BATCH), BATCH);
  }

  /** Sends a streaming submission. */
  void stream(Service service, int size, boolean isAtomic) throws Exception {
    long from = names.getAndAdd(size);
    var lines =
        LongStream.range(from, from + size)
            .mapToObj(i -> operation("add", "b" + i, 1))
            .collect(Collectors.joining("\n"));
    var answer =
        service
            .send(
                HttpMethod.POST,
                "/api/repos/bench/bulk/streams/bench/submissions?atomic=" + isAtomic,
                Map.of("Content-Type", "application/x-ndjson"),
                lines)
            .body();
    if (!answer.contains("\"applied\":%d,".formatted(size))) {
      throw new IOException(answer.substring(Math.max(0, answer.length() - 1_000)));
    }
  }
}
