package dev.cairn;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.hamcrest.Matchers.is;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.cairn.client.CairnClient;
import dev.cairn.client.Credentials;
import dev.cairn.client.StreamBody;
import dev.cairn.client.StreamLine;
import dev.cairn.client.StreamOptions;
import dev.cairn.platform.database.EmbeddedDatabase;
import java.io.IOException;
import java.net.Socket;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jboss.logging.Logger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The packaged service, killed without warning in the middle of a streaming submission, which is
 * then sent again with its key: {@code docs/streams.md}, Resuming. {@code
 * src/test/operation/stream.sh} does the same with a file of operations ({@code -Dstream.file}).
 */
class StreamsIT {
  private static final Logger LOG = Logger.getLogger(StreamsIT.class);
  private static final String FILE = System.getProperty("stream.file", "");
  private static final String HEAP = System.getProperty("stream.heap", "256m");
  private static final int LINES = 20_000;
  private static final String ORG = "streams";
  private static final Duration LONG = Duration.ofMinutes(10);

  @TempDir static Path directory;

  private static final byte[] BODY = body();
  private static EmbeddedDatabase.Running database;
  private static Connection connection;

  /** Each test kills it, and starts it again. */
  private static Replica replica;

  private static String token;

  private final int lines = (int) new String(BODY, UTF_8).lines().count();

  /** Of this test; as the name of the repository, it is unique. */
  private final String name = Api.unique("repo");

  private final String repository = "/api/repos/" + ORG + "/" + name;

  private static byte[] body() {
    if (!FILE.isEmpty()) {
      try {
        return Files.readAllBytes(Path.of(FILE));
      } catch (IOException e) {
        throw new IllegalStateException(e);
      }
    }
    var shape = "{\"operation\":\"add\",\"name\":\"S\",\"data\":{\"fields\":{\"to?\":\"wref\"}}}\n";
    return IntStream.range(1, LINES)
        .mapToObj(
            i ->
                i == 1
                    ? "{\"operation\":\"add\",\"name\":\"S/t1\",\"data\":{}}\n"
                    : "{\"operation\":\"add\",\"name\":\"S/t%d\",\"data\":{\"to\":\"S/t%d\"}}\n"
                        .formatted(i, i / 2))
        .collect(Collectors.joining("", shape, ""))
        .getBytes(UTF_8);
  }

  @BeforeAll
  static void begin() throws Exception {
    database = Databases.create();
    connection =
        DriverManager.getConnection(database.jdbcUrl(), database.user(), database.password());
    start();
    post("/api/orgs", Map.of("name", ORG));
  }

  @AfterAll
  static void end() throws InterruptedException {
    if (replica != null) {
      replica.stop();
    }
    if (database != null) {
      database.close();
    }
  }

  private static void post(String path, Object body) {
    replica.as(token).body(body).post(path).then().statusCode(201);
  }

  @BeforeEach
  void makeRepository() {
    post("/api/orgs/" + ORG + "/repos", Map.of("name", name));
    replica
        .as(token)
        .body("{\"settings\":{\"streams\":{\"enabled\":true}}}")
        .patch(repository)
        .then()
        .statusCode(200);
  }

  private static void start() throws Exception {
    replica =
        Replica.start(
            Artifact.service(HEAP),
            database,
            directory.resolve("service.log"),
            Map.of("CAIRN_DATABASE_POOL_SIZE", "8"));
    token = replica.signIn();
  }

  private String path(boolean isAtomic) {
    return repository + "/streams/s/submissions?atomic=" + isAtomic;
  }

  /** Sends the first lines, and leaves the body open. */
  private Socket sendFirst(boolean isAtomic, int length) throws IOException {
    var socket = new Socket("localhost", replica.port());
    var head =
        """
        POST %s HTTP/1.1
        Host: localhost
        Authorization: Bearer %s
        Content-Type: application/x-ndjson
        Idempotency-Key: k
        Content-Length: %d

        """
            .formatted(path(isAtomic), token, BODY.length)
            .replace("\n", "\r\n");
    socket.getOutputStream().write(head.getBytes(US_ASCII));
    // Results are read, or the service would stop reading.
    Thread.ofVirtual().start(() -> discard(socket));
    socket.getOutputStream().write(BODY, 0, length);
    socket.getOutputStream().flush();
    return socket;
  }

  private static void discard(Socket socket) {
    try {
      var bytes = socket.getInputStream().readAllBytes();
      LOG.debugf("%d bytes of results before the connection broke", bytes.length);
    } catch (IOException e) {
      LOG.debug("the connection broke", e);
    }
  }

  /** Sends all lines with the key, as soon as the lease is free; answers the summary. */
  private StreamLine.Summary sendAll(boolean isAtomic) {
    Eventually.await(
        "the lease is free", () -> !exists("stream_lease", "and lease_until > clock_timestamp()"));
    var options = StreamOptions.DEFAULT.withIdempotencyKey("k");
    // Reads while it sends: the results of a finished submission come from its first line on, and a
    // client that reads later would block both sides.
    try (var client =
            CairnClient.builder(URI.create(replica.url("")))
                .credentials(Credentials.token(token))
                .build();
        var submission =
            client
                .repository(ORG, name)
                .submitStream(
                    "s", isAtomic ? options.allOrNothing() : options, StreamBody.of(BODY))) {
      var ends = submission.lines().filter(line -> !(line instanceof StreamLine.Result)).toList();
      assertEquals(1, ends.size(), ends.toString());
      return (StreamLine.Summary) ends.getFirst();
    }
  }

  /** Whether a table has rows of the repository. */
  private boolean exists(String table) {
    return exists(table, "");
  }

  private boolean exists(String table, String condition) {
    return isTrue(
        "select exists (select from %s where repo_id = (select id from repository where name = '%s') %s)"
            .formatted(table, name, condition));
  }

  private static boolean isTrue(String sql) {
    try (var statement = connection.createStatement();
        var rows = statement.executeQuery(sql)) {
      return rows.next() && rows.getBoolean(1);
    } catch (SQLException e) {
      throw new AssertionError(e);
    }
  }

  private int commits() {
    return replica
        .as(token)
        .get(repository + "/commits?limit=500")
        .then()
        .statusCode(200)
        .extract()
        .path("items.size()");
  }

  private void assertThereOnce(boolean isAtomic) {
    long begun = System.nanoTime();
    var summary = sendAll(isAtomic);
    LOG.infof(
        "%,d operations, atomic=%s, sent again: %,d ms",
        lines, isAtomic, (System.nanoTime() - begun) / 1_000_000);
    assertEquals(lines, summary.operationCount(), summary.toString());
    assertEquals(lines, summary.applied(), summary.toString());
    assertEquals(0, summary.errors(), summary.toString());
    int commits = commits();
    assertTrue(isAtomic ? commits == 1 : commits > 1, commits + " commits");
    assertEquals(summary, sendAll(isAtomic), "another time");
    assertEquals(commits, commits());
    replica
        .as(token)
        .get(repository + "/verification")
        .then()
        .statusCode(200)
        .body("verified", is(true));
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void killed_when_half_of_the_lines_have_come_it_is_there_once_when_it_is_sent_again(
      boolean isAtomic) throws Exception {
    try (var open = sendFirst(isAtomic, BODY.length / 2)) {
      Eventually.await(
          "some lines are kept or applied", () -> exists(isAtomic ? "stream_part" : "commit_log"));
      assertTrue(open.isConnected());
      replica.kill();
    }
    start();
    if (isAtomic) {
      assertEquals(0, commits());
    }
    assertThereOnce(isAtomic);
  }

  /** {@code stream.AtomicTest} does the same with few lines. */
  @Test
  @EnabledIfSystemProperty(named = "stream.file", matches = ".+")
  void cut_off_when_half_of_the_lines_have_come_nothing_is_there_until_it_is_sent_again()
      throws Exception {
    try (var open = sendFirst(true, BODY.length / 2)) {
      Eventually.await("some lines are kept", () -> exists("stream_part"));
      assertTrue(open.isConnected());
    }
    Eventually.await("nothing is kept", () -> !exists("stream_part"));
    assertEquals(0, commits());
    assertThereOnce(true);
  }

  @Test
  void killed_while_its_one_commit_is_written_it_is_there_once_when_it_is_sent_again()
      throws Exception {
    try (var open = sendFirst(true, BODY.length)) {
      Eventually.await(
          LONG,
          "the commit is being written",
          () ->
              isTrue(
                  "select exists (select from pg_locks where granted"
                      + " and mode = 'RowExclusiveLock'"
                      + " and relation = 'entity_version'::regclass)"));
      assertTrue(open.isConnected());
      replica.kill();
    }
    start();
    assertEquals(0, commits());
    assertThereOnce(true);
  }
}
