import com.sun.net.httpserver.HttpServer;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * What one replica and one database carry, as ratios to a floor that is measured in turns with it:
 * pgbench, COPY, or the barest server; docs/capacity.md says how it is run and what it means. Needs
 * psql and pgbench on the path, the packaged service, and an empty database:
 *
 * <pre>
 * PGUSER=cairn PGPASSWORD=… java -cp 'target/quarkus-app/lib/main/*' src/bench/Capacity.java \\
 *     postgresql://127.0.0.1:5432/bench
 * </pre>
 *
 * <p>{@code -Dturns=5 -Dwarm=3 -Dseconds=4 -Dclients=16 -Dthings=100000} say how long and how much.
 */
final class Capacity {
  private static final int TURNS = Integer.getInteger("turns", 5);
  private static final int SECONDS = Integer.getInteger("seconds", 4);
  private static final int WARM = Integer.getInteger("warm", 3);
  private static final int CLIENTS = Integer.getInteger("clients", 16);
  private static final int THINGS = Integer.getInteger("things", 100_000);
  private static final int PORT = Integer.getInteger("port", 8640);
  private static final int BATCH = 10_000;
  private static final String PASSWORD = "correct horse battery";

  private final HttpClient http =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
  private final Path directory = Files.createTempDirectory("capacity");
  private final AtomicLong names = new AtomicLong();
  private final List<String> table = new ArrayList<>();
  private final String database;
  private String token;
  private HttpServer bare;

  /** A rate: how often in a second, however it is measured. */
  private interface Rate {
    double measure() throws Exception;
  }

  private Capacity(String database) throws IOException {
    this.database = database;
  }

  public static void main(String[] arguments) throws Exception {
    var bench = new Capacity(arguments[0]);
    var service = bench.start();
    try {
      bench.run(service);
    } finally {
      service.destroy();
      service.waitFor();
    }
    System.exit(0);
  }

  private void run(Process service) throws Exception {
    var signedIn = post("/api/auth/login", Map.of("email", "a@example.org", "password", PASSWORD));
    token = signedIn.replaceFirst(".*\"accessToken\":\"([^\"]*)\".*", "$1");
    post("/api/orgs", Map.of("name", "bench"));
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
    floorTables();

    System.err.println("measuring; each line is the median of " + TURNS + " turns");
    line(
        "Commits of one operation, " + CLIENTS + " clients, as many repositories",
        this::floorCommits,
        () -> each(i -> commit("r" + i)));
    line("The same, one repository", this::floorCommitsOfOne, () -> each(_ -> commit("r0")));
    line(
        "Operations in commits of 1,000, one client",
        () -> floorCopy(1_000),
        () -> operations(1_000));
    line(
        "Operations in commits of 10,000, one client",
        () -> floorCopy(BATCH),
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
    System.out.printf("%nFilling %,d things: %,.0f operations/s.%n", THINGS, filled);
    System.out.printf(
        "WAL: %,d bytes a commit of one operation, %,d by the floor's; %,d an operation in commits of"
            + " 10,000.%n",
        wal(() -> each(i -> commit("r" + i))),
        wal(this::floorCommits),
        wal(() -> operations(BATCH)));
    System.out.printf(
        "Connections: %s. Resident memory of the service: %s MiB.%n",
        sql(
            "select count(*) from pg_stat_activity where datname = current_database() and application_name = 'cairn'"),
        residentMegabytes(service));
    System.out.println(sizes());
  }

  private Process start() throws Exception {
    var java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
    var builder =
        new ProcessBuilder(java, "-Xmx512m", "-jar", "target/quarkus-app/quarkus-run.jar")
            .redirectErrorStream(true)
            .redirectOutput(directory.resolve("service.log").toFile());
    builder
        .environment()
        .putAll(
            Map.of(
                "CAIRN_DATABASE_URL",
                "jdbc:" + database,
                "CAIRN_DATABASE_USER",
                user(),
                "CAIRN_DATABASE_PASSWORD",
                password(),
                "CAIRN_SECRET_KEY",
                Base64.getEncoder().encodeToString(new byte[32]),
                "CAIRN_PUBLIC_URL",
                "https://cairn.example.org",
                "CAIRN_ADMIN_EMAIL",
                "a@example.org",
                "CAIRN_ADMIN_PASSWORD",
                PASSWORD,
                "CAIRN_EGRESS_ALLOW",
                "127.0.0.1",
                "QUARKUS_HTTP_PORT",
                "" + PORT));
    var process = builder.start();
    for (int i = 0; i < 1200; i++) {
      try {
        if (send(request("/q/health/ready")) != null) {
          return process;
        }
      } catch (IOException e) {
        Thread.sleep(100);
      }
      if (!process.isAlive()) {
        break;
      }
    }
    throw new IllegalStateException(Files.readString(directory.resolve("service.log")));
  }

  // What is sent.

  private HttpRequest.Builder request(String path) {
    var request =
        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + PORT + path))
            .timeout(Duration.ofSeconds(60));
    return token == null ? request : request.header("Authorization", "Bearer " + token);
  }

  private String send(HttpRequest.Builder request) throws Exception {
    var answer = http.send(request.build(), BodyHandlers.ofString());
    if (answer.statusCode() >= 300) {
      throw new IOException(answer.statusCode() + " " + answer.body());
    }
    return answer.body();
  }

  private String post(String path, String body) throws Exception {
    return send(
        request(path)
            .header("Content-Type", "application/json")
            .POST(BodyPublishers.ofString(body)));
  }

  private String post(String path, Map<String, String> body) throws Exception {
    return post(
        path,
        body.entrySet().stream()
            .map(e -> "\"" + e.getKey() + "\":\"" + e.getValue() + "\"")
            .collect(Collectors.joining(",", "{", "}")));
  }

  private void repository(String name) throws Exception {
    post("/api/orgs/bench/repos", Map.of("name", name));
    post(
        "/api/repos/bench/" + name + "/commits",
        "{\"operations\":[{\"operation\":\"add\",\"name\":\"S\",\"data\":{\"fields\":{\"n\":\"number\",\"text\":\"string\"}}}]}");
  }

  private static String add(String name) {
    return "{\"operation\":\"add\",\"name\":\"S/"
        + name
        + "\",\"data\":{\"n\":1,\"text\":\"a hundred bytes of text, as a small record of something has them in it here, more or less\"}}";
  }

  private void batch(String repository, String prefix, long from, int count) throws Exception {
    post(
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
    send(request("/api/repos/bench/big" + path));
    return 1;
  }

  private static int random() {
    return (int) (Math.random() * THINGS);
  }

  private double unchanged() throws Exception {
    var path = "/api/repos/bench/big/head?shape=S&limit=50";
    var tag =
        http.send(request(path).build(), BodyHandlers.discarding())
            .headers()
            .firstValue("ETag")
            .orElseThrow();
    return each(
        _ -> {
          int status =
              http.send(
                      request(path).header("If-None-Match", tag).build(), BodyHandlers.discarding())
                  .statusCode();
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

  /** One client's request; answers how much it counts. */
  private interface Client {
    int send(int client) throws Exception;
  }

  private double each(Client client) throws Exception {
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
                              count += client.send(i);
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

  private static double seconds(long start) {
    return (System.nanoTime() - start) / 1e9;
  }

  // What PostgreSQL does by itself.

  /** Tables as the service's own, with their indexes, and the statements on them. */
  private void floorTables() throws Exception {
    sql(
        """
        create table floor_head (like repository_head including all);
        create table floor_log (like commit_log including all);
        create table floor_entity (like entity including all);
        create table floor_version (like entity_version including all);
        insert into floor_head (repo_id, hash, next_entity_id) select md5(i::text)::uuid, sha256('a'), 100 from generate_series(0, 63) i;
        create table floor_big as select id as repo_id from repository where name = 'big';
        """);
    var commit =
        """
        begin;
        update floor_head set seq = seq + 1, next_entity_id = next_entity_id + 1, hash = sha256(hash) where repo_id = md5('CLIENT')::uuid returning seq \\gset
        insert into floor_log (repo_id, seq, commit_id, hash, parent_hash, author, operation_count, created_at, next_entity_id) values (md5('CLIENT')::uuid, :seq, to_hex(:seq), sha256('a'), sha256('b'), 'a', 1, now(), 101 + :seq);
        insert into floor_entity (repo_id, id, kind, shape_id, shape_name, name, version, active, shape_version, data, data_hash, author, created_seq, created_op, created_at, updated_at) values (md5('CLIENT')::uuid, 100 + :seq, 'thing', 100, 'S', 'c' || :seq, 1, true, 1, '{"n":1,"text":"a hundred bytes of text, as a small record of something has them in it here, more or less"}', sha256('c'), 'a', :seq, 0, now(), now());
        insert into floor_version (repo_id, entity_id, version, valid_from, op_index, operation, active, shape_id, shape_version, data, data_hash) values (md5('CLIENT')::uuid, 100 + :seq, 1, :seq, 0, 'add', true, 100, 1, '{"n":1,"text":"a hundred bytes of text, as a small record of something has them in it here, more or less"}', sha256('c'));
        commit;
        """;
    Files.writeString(directory.resolve("commits.sql"), commit.replace("CLIENT", ":client_id"));
    Files.writeString(directory.resolve("one.sql"), commit.replace("CLIENT", "63"));
    sql("analyze");
  }

  private double floorCommits() throws Exception {
    return pgbench("commits");
  }

  private double floorCommitsOfOne() throws Exception {
    return pgbench("one");
  }

  private double pgbench(String script) throws Exception {
    var said =
        run(
            "pgbench",
            "-n",
            "-c",
            "" + CLIENTS,
            "-j",
            "2",
            "-T",
            "" + SECONDS,
            "-f",
            directory.resolve(script + ".sql").toString(),
            database);
    var rate = Pattern.compile("tps = ([0-9.]+)").matcher(said);
    if (!rate.find()) {
      throw new IllegalStateException(said);
    }
    return Double.parseDouble(rate.group(1));
  }

  /** The rows of so many operations, by COPY into tables with the same indexes. */
  private double floorCopy(int size) throws Exception {
    var entities = directory.resolve("entities-" + size);
    var versions = directory.resolve("versions-" + size);
    if (!Files.exists(entities)) {
      psql(
          "\\copy (select * from entity where repo_id = (select repo_id from floor_big) and id >= 101 order by id limit "
              + size
              + ") to '"
              + entities
              + "'");
      psql(
          "\\copy (select * from entity_version where repo_id = (select repo_id from floor_big) and entity_id >= 101 order by entity_id limit "
              + size
              + ") to '"
              + versions
              + "'");
    }
    var script = directory.resolve("copy.sql");
    Files.writeString(
        script,
        "begin;\n\\copy floor_entity from '"
            + entities
            + "'\n\\copy floor_version from '"
            + versions
            + "'\ncommit;\n");
    var empty = directory.resolve("empty.sql");
    Files.writeString(empty, "begin;\ncommit;\n");
    long done = 0;
    double taken = 0;
    while (taken < SECONDS / 2.0) {
      long before = System.nanoTime();
      run("psql", "-qXf", empty.toString(), database);
      double overhead = seconds(before);
      long start = System.nanoTime();
      run("psql", "-qXf", script.toString(), database);
      taken += Math.max(0.001, seconds(start) - overhead);
      done += size;
      sql(
          "delete from floor_entity where repo_id = (select repo_id from floor_big); delete from floor_version where repo_id = (select repo_id from floor_big)");
    }
    return done / taken;
  }

  // The barest server that answers from the same statements.

  private static final Map<String, String> READS =
      Map.of(
          "/thing",
          """
          select version, data, active, shape_version, data_hash, created_at, updated_at, author
          from entity where repo_id = ? and shape_name = 'S' and name = ?
          """,
          "/page",
          """
          select name, version, data, kind from entity
          where repo_id = ? and shape_name = 'S' and name >= substr(?, 1, 0) order by name limit 50
          """,
          "/history",
          """
          select v.version, v.data, v.operation, c.commit_id, c.author, c.created_at
          from entity e
          join entity_version v on v.repo_id = e.repo_id and v.entity_id = e.id
          join commit_log c on c.repo_id = v.repo_id and c.seq = v.valid_from
          where e.repo_id = ? and e.shape_name = 'S' and e.name = ?
          """);

  private HttpServer bareServer() throws Exception {
    var pool = new ArrayBlockingQueue<Connection>(CLIENTS);
    for (int i = 0; i < CLIENTS; i++) {
      pool.add(DriverManager.getConnection("jdbc:" + database, user(), password()));
    }
    var big = UUID.fromString(sql("select repo_id from floor_big"));
    var server =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 1000);
    server.createContext(
        "/",
        exchange -> {
          try (exchange) {
            var sql = READS.get(exchange.getRequestURI().getPath());
            if (sql == null) {
              exchange.sendResponseHeaders(304, -1);
              return;
            }
            var body = rows(pool, sql, big, exchange.getRequestURI().getQuery());
            exchange.sendResponseHeaders(200, body.length);
            exchange.getResponseBody().write(body);
          } catch (SQLException | InterruptedException e) {
            throw new IOException(e);
          }
        });
    server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
    server.start();
    return server;
  }

  /** The columns of the rows one after the other, as they come. */
  private static byte[] rows(BlockingQueue<Connection> pool, String sql, UUID big, String name)
      throws SQLException, InterruptedException {
    var connection = pool.take();
    try (var statement = connection.prepareStatement(sql)) {
      statement.setObject(1, big);
      statement.setString(2, name);
      var body = new ByteArrayOutputStream();
      try (var rows = statement.executeQuery()) {
        while (rows.next()) {
          for (int i = 1; i <= rows.getMetaData().getColumnCount(); i++) {
            body.writeBytes(rows.getBytes(i));
          }
        }
      }
      return body.toByteArray();
    } finally {
      pool.add(connection);
    }
  }

  private double bare(String path) throws Exception {
    if (bare == null) {
      bare = bareServer();
    }
    return each(
        _ -> {
          var url = "http://127.0.0.1:" + bare.getAddress().getPort() + path + "?t" + random();
          http.send(HttpRequest.newBuilder(URI.create(url)).build(), BodyHandlers.ofString());
          return 1;
        });
  }

  private static String user() {
    return System.getenv().getOrDefault("PGUSER", "cairn");
  }

  private static String password() {
    return System.getenv().getOrDefault("PGPASSWORD", "none");
  }

  // Deliveries, against a bare client in a loop.

  private void deliveries() throws Exception {
    var calls = new AtomicInteger();
    var sink = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 1000);
    sink.createContext(
        "/",
        exchange -> {
          try (exchange) {
            exchange.getRequestBody().readAllBytes();
            calls.incrementAndGet();
            exchange.sendResponseHeaders(200, 2);
            exchange.getResponseBody().write("ok".getBytes(StandardCharsets.UTF_8));
          }
        });
    sink.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
    sink.start();
    var url = "http://127.0.0.1:" + sink.getAddress().getPort() + "/";
    for (int i = 0; i < CLIENTS; i++) {
      post(
          "/api/repos/bench/r" + i + "/subs",
          "{\"name\":\"s\",\"kind\":\"webhook\",\"shapeName\":\"S\",\"filterJson\":{},\"webhookUrl\":\""
              + url
              + "\"}");
    }
    line(
        "Deliveries, with the commits that make them; beside it a client in a loop",
        () ->
            each(
                _ -> {
                  http.send(
                      HttpRequest.newBuilder(URI.create(url))
                          .POST(BodyPublishers.ofString("x".repeat(800)))
                          .build(),
                      BodyHandlers.discarding());
                  return 1;
                }),
        () -> {
          int before = calls.get();
          var made = new AtomicInteger();
          long start = System.nanoTime();
          each(i -> made.addAndGet(commit("r" + i)) * 0);
          while (calls.get() < before + made.get()) {
            Thread.sleep(5);
          }
          return made.get() / seconds(start);
        });
    for (int i = 0; i < CLIENTS; i++) {
      send(request("/api/repos/bench/r" + i + "/subs/s").DELETE());
    }
    sink.stop(0);
  }

  // What comes out.

  private void line(String what, Rate floor, Rate path) throws Exception {
    for (int i = 0; i < WARM; i++) {
      floor.measure();
      path.measure();
    }
    var floors = new double[TURNS];
    var paths = new double[TURNS];
    var ratios = new double[TURNS];
    for (int i = 0; i < TURNS; i++) {
      floors[i] = floor.measure();
      paths[i] = path.measure();
      ratios[i] = paths[i] / floors[i];
    }
    for (var each : List.of(floors, paths, ratios)) {
      Arrays.sort(each);
    }
    int middle = TURNS / 2;
    table.add(
        "| %s | %,.0f/s | %,.0f/s | %.2f (%.2f to %.2f) |"
            .formatted(
                what, paths[middle], floors[middle], ratios[middle], ratios[0], ratios[TURNS - 1]));
    System.err.println(table.getLast());
  }

  /** Bytes of the write-ahead log for each of what a rate counts. */
  private long wal(Rate rate) throws Exception {
    var before = sql("select pg_current_wal_lsn()");
    double count = rate.measure() * SECONDS;
    return Math.round(
        Double.parseDouble(sql("select pg_current_wal_lsn() - '" + before + "'")) / count);
  }

  /** What an entity and its first version take on the disk, after all that was written. */
  private String sizes() throws Exception {
    return sql(
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

  /** Of Linux; nothing elsewhere. */
  private static long residentMegabytes(Process service) throws IOException {
    var status = Path.of("/proc/" + service.pid() + "/status");
    if (!Files.exists(status)) {
      return 0;
    }
    var lines = Pattern.compile("VmRSS:\\s+(\\d+)").matcher(Files.readString(status));
    return lines.find() ? Long.parseLong(lines.group(1)) / 1024 : 0;
  }

  private String sql(String statements) throws Exception {
    return psql(statements);
  }

  private String psql(String command) throws Exception {
    return run("psql", "-qXAt", "-v", "ON_ERROR_STOP=1", "-c", command, database).strip();
  }

  private static String run(String... command) throws Exception {
    var process = new ProcessBuilder(command).redirectErrorStream(true).start();
    var said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    if (process.waitFor() != 0) {
      throw new IllegalStateException(String.join(" ", command) + "\n" + said);
    }
    return said;
  }
}
