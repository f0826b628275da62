import io.vertx.core.http.HttpMethod;
import java.io.IOException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * The throughput of one replica and one database, as ratios to a floor that is measured in turns:
 * pgbench, COPY, or a minimal server; docs/capacity.md describes how to run and read it. Needs psql
 * and pgbench on the path, the packaged service, and an empty database:
 *
 * <pre>
 * PGUSER=cairn PGPASSWORD=… java -cp 'target/quarkus-app/lib/main/*' src/bench/Capacity.java \\
 *     postgresql://127.0.0.1:5432/bench
 * </pre>
 *
 * <p>{@code -Dturns=5 -Dwarm=3 -Dseconds=4 -Dclients=16 -Dthings=100000} set duration and amount.
 */
final class Capacity {
  static final int SECONDS = Integer.getInteger("seconds", 4);
  static final int CLIENTS = Integer.getInteger("clients", 16);
  private static final int TURNS = Integer.getInteger("turns", 5);
  private static final int WARM = Integer.getInteger("warm", 3);
  private static final int THINGS = Integer.getInteger("things", 100_000);
  private static final int BATCH = 10_000;

  private final AtomicLong names = new AtomicLong();
  private final List<String> table = new ArrayList<>();
  private final Database database;
  private final Service service;
  private final PostgresFloor postgres;
  private BareServer bare;

  /** Measures a rate: a number of events a second. */
  private interface Rate {
    double measure() throws Exception;
  }

  private Capacity(Database database, Service service, PostgresFloor postgres) {
    this.database = database;
    this.service = service;
    this.postgres = postgres;
  }

  public static void main(String[] arguments) throws Exception {
    var database = new Database(arguments[0]);
    var directory = Files.createTempDirectory("capacity");
    try (var service = Service.start(database, directory.resolve("service.log"))) {
      new Capacity(database, service, new PostgresFloor(database, directory)).run();
    }
    System.exit(0);
  }

  private void run() throws Exception {
    service.post("/api/orgs", Map.of("name", "bench"));
    for (int i = 0; i < CLIENTS; i++) {
      repository("r" + i);
    }
    repository("big");
    System.err.println("filling");
    long start = System.nanoTime();
    for (int i = 0; i < THINGS; i += BATCH) {
      batch("big", "t", i, BATCH);
    }
    double filled = THINGS / seconds(start);
    postgres.tables();
    var big = UUID.fromString(database.sql("select repo_id from floor_big"));
    try (var server = BareServer.start(database, CLIENTS, big)) {
      bare = server;
      measure();
    }
    System.out.printf("%nFilling %,d things: %,.0f operations/s.%n", THINGS, filled);
  }

  private void measure() throws Exception {
    System.err.println("measuring; each line is the median of " + TURNS + " turns");
    line(
        "Commits of one operation, " + CLIENTS + " clients, as many repositories",
        postgres::commits,
        () -> each(i -> commit("r" + i)));
    line("The same, one repository", postgres::commitsOfOne, () -> each(_ -> commit("r0")));
    line(
        "Operations in commits of 1,000, one client",
        () -> postgres.copy(1_000),
        () -> operations(1_000));
    line(
        "Operations in commits of 10,000, one client",
        () -> postgres.copy(BATCH),
        () -> operations(BATCH));
    line(
        "One thing, " + CLIENTS + " clients",
        () -> bare("/thing"),
        () -> each(_ -> get("/things/S/t" + random())));
    line("A page of 50", () -> bare("/page"), () -> each(_ -> get("/head?shape=S&limit=50")));
    line(
        "The history of one thing",
        () -> bare("/history"),
        () -> each(_ -> get("/history?wref=S/t" + random())));
    line("What did not change (304)", () -> bare("/unchanged"), this::unchanged);
    deliveries();

    System.out.println(
        "| What | Cairn | Floor | Ratio, median (least to most) |\n|---|---|---|---|");
    table.forEach(System.out::println);
    System.out.printf(
        "%nWAL: %,d bytes a commit of one operation, %,d by the floor's; %,d an operation in commits of"
            + " 10,000.%n",
        wal(() -> each(i -> commit("r" + i))),
        wal(postgres::commits),
        wal(() -> operations(BATCH)));
    System.out.printf(
        "Connections: %s. Resident memory of the service: %s MiB.%n",
        database.sql(
            "select count(*) from pg_stat_activity where datname = current_database() and application_name = 'cairn'"),
        service.residentMegabytes());
    System.out.println(sizes());
  }

  private void repository(String name) throws Exception {
    service.post("/api/orgs/bench/repos", Map.of("name", name));
    service.post(
        "/api/repos/bench/" + name + "/commits",
        "{\"operations\":[{\"operation\":\"add\",\"name\":\"S\",\"data\":{\"fields\":{\"n\":\"number\",\"text\":\"string\"}}}]}");
  }

  private static String add(String name) {
    return "{\"operation\":\"add\",\"name\":\"S/"
        + name
        + "\",\"data\":{\"n\":1,\"text\":\"a hundred bytes of text, as a small record of something has them in it here, more or less\"}}";
  }

  private void batch(String repository, String prefix, long from, int count) throws Exception {
    service.post(
        "/api/repos/bench/" + repository + "/commits",
        IntStream.range(0, count)
            .mapToObj(i -> add(prefix + (from + i)))
            .collect(Collectors.joining(",", "{\"operations\":[", "]}")));
  }

  private int commit(String repository) throws Exception {
    batch(repository, "c", names.incrementAndGet(), 1);
    return 1;
  }

  private int get(String path) throws Exception {
    service.get("/api/repos/bench/big" + path);
    return 1;
  }

  private static int random() {
    return (int) (Math.random() * THINGS);
  }

  private double unchanged() throws Exception {
    var path = "/api/repos/bench/big/head?shape=S&limit=50";
    var condition = Map.of("If-None-Match", service.get(path).headers().get("ETag"));
    return each(
        _ -> {
          int status = service.send(HttpMethod.GET, path, condition, null).status();
          if (status != 304) {
            throw new IOException("status " + status);
          }
          return 1;
        });
  }

  private double operations(int size) throws Exception {
    long start = System.nanoTime();
    long done = 0;
    while (seconds(start) < SECONDS) {
      batch("big", "b", names.addAndGet(size), size);
      done += size;
    }
    return done / seconds(start);
  }

  /** One client's request; returns how much it counts. */
  interface Request {
    int send(int client) throws Exception;
  }

  /** The throughput of {@link #CLIENTS} concurrent clients, in a second. */
  static double each(Request request) throws Exception {
    long start = System.nanoTime();
    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      var counts =
          threads.invokeAll(
              IntStream.range(0, CLIENTS)
                  .<Callable<Long>>mapToObj(
                      i ->
                          () -> {
                            long count = 0;
                            while (seconds(start) < SECONDS) {
                              count += request.send(i);
                            }
                            return count;
                          })
                  .toList());
      long all = 0;
      for (var count : counts) {
        all += count.get();
      }
      return all / seconds(start);
    }
  }

  /** Since a time of {@link System#nanoTime}. */
  static double seconds(long start) {
    return (System.nanoTime() - start) / 1e9;
  }

  private double bare(String path) throws Exception {
    return each(
        _ -> {
          service.client.expect(HttpMethod.GET, bare.url(path) + "?t" + random(), Map.of(), null);
          return 1;
        });
  }

  // Deliveries, against a bare client in a loop.

  private void deliveries() throws Exception {
    var url = bare.url("/sink");
    for (int i = 0; i < CLIENTS; i++) {
      service.post(
          "/api/repos/bench/r" + i + "/subs",
          "{\"name\":\"s\",\"kind\":\"webhook\",\"shapeName\":\"S\",\"filterJson\":{},\"webhookUrl\":\""
              + url
              + "\"}");
    }
    line(
        "Deliveries, with the commits that make them; beside it a client in a loop",
        () -> each(_ -> call(url)),
        this::delivered);
    for (int i = 0; i < CLIENTS; i++) {
      service.send(HttpMethod.DELETE, "/api/repos/bench/r" + i + "/subs/s", Map.of(), null);
    }
  }

  private int call(String sink) throws Exception {
    service.client.expect(HttpMethod.POST, sink, Map.of(), "x".repeat(800));
    return 1;
  }

  private double delivered() throws Exception {
    int before = bare.taken.get();
    var made = new AtomicInteger();
    long start = System.nanoTime();
    each(i -> made.addAndGet(commit("r" + i)) * 0);
    while (bare.taken.get() < before + made.get()) {
      Thread.sleep(5);
    }
    return made.get() / seconds(start);
  }

  // The results.

  private void line(String what, Rate floor, Rate path) throws Exception {
    for (int i = 0; i < WARM; i++) {
      floor.measure();
      path.measure();
    }
    var floors = new double[TURNS];
    var paths = new double[TURNS];
    for (int i = 0; i < TURNS; i++) {
      floors[i] = floor.measure();
      paths[i] = path.measure();
    }
    table.add(
        "| %s | %,.0f/s | %,.0f/s | %s |"
            .formatted(
                what, Turns.median(paths), Turns.median(floors), Turns.ratios(paths, floors)));
    System.err.println(table.getLast());
  }

  /** Bytes of the write-ahead log for each counted event. */
  private long wal(Rate rate) throws Exception {
    var before = database.sql("select pg_current_wal_lsn()");
    double count = rate.measure() * SECONDS;
    return Math.round(
        Double.parseDouble(database.sql("select pg_current_wal_lsn() - '" + before + "'")) / count);
  }

  /** The size on disk of an entity and its first version, after all writes. */
  private String sizes() throws Exception {
    return database.sql(
        """
        select '| Table | Rows | Bytes a row | of these in indexes |' || E'\\n|---|---|---|---|'
        union all
        select format('| `%s` | %s | %s | %s |', relname, n,
                      pg_total_relation_size(oid) / n, pg_indexes_size(oid) / n)
        from (select c.oid, c.relname, greatest(1, s.n_live_tup) as n
              from pg_class c join pg_stat_user_tables s on s.relid = c.oid
              where c.relname in ('entity', 'entity_version', 'commit_log', 'action_run',
                                  'action_attempt', 'matched_operation')) t
        """);
  }
}
