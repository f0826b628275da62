package dev.cairn;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.cairn.platform.database.EmbeddedDatabase;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import java.util.zip.GZIPInputStream;
import org.hamcrest.Matchers;
import org.jboss.logging.Logger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * {@code cairn import} and {@code cairn export} as real processes, which are killed without warning
 * and go on: {@code docs/import.md}. {@code src/test/operation/import.sh} does the same with a file
 * of operations ({@code -Dimport.file}), and with more rows ({@code -Dimport.rows}).
 */
class CliImportIT {
  private static final Logger LOG = Logger.getLogger(CliImportIT.class);
  private static final String FILE = System.getProperty("import.file", "");

  /** More than a commit may have, so that there is a middle. */
  private static final int ROWS = Integer.getInteger("import.rows", 15_000);

  private static final ObjectMapper JSON = new ObjectMapper();
  private static final Duration LONG = Duration.ofMinutes(20);

  @TempDir static Path service;
  private static EmbeddedDatabase.Running database;
  private static Replica replica;
  private static String token;

  @TempDir Path directory;
  private Cli cairn;

  @BeforeAll
  static void begin() throws Exception {
    database = Databases.create();
    replica =
        Replica.start(
            database,
            service.resolve("log"),
            Map.of("CAIRN_DATABASE_POOL_SIZE", "8", "CAIRN_LIMITS_STREAMS", "8"));
    token = replica.signIn();
    replica.as(token).body("{\"name\":\"imports\"}").post("/api/orgs").then().statusCode(201);
  }

  @BeforeEach
  void user() throws IOException {
    var home = Files.createDirectory(directory.resolve("home"));
    cairn = new Cli(home, replica.url("")).with("CAIRN_TOKEN", token);
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

  /** A new repository; its name is unique, because all tests have one service. */
  private static void repository(String name, boolean hasStreams) {
    replica
        .as(token)
        .body("{\"name\":\"" + name + "\"}")
        .post("/api/orgs/imports/repos")
        .then()
        .statusCode(201);
    if (hasStreams) {
      replica
          .as(token)
          .body("{\"settings\":{\"streams\":{\"enabled\":true}}}")
          .patch("/api/repos/imports/" + name)
          .then()
          .statusCode(200);
    }
  }

  private Cli in(String repository) {
    return cairn.with("CAIRN_REPO", "imports/" + repository);
  }

  private static int count(String repository) {
    return replica
        .as(token)
        .get("/api/repos/imports/" + repository + "/count")
        .then()
        .statusCode(200)
        .extract()
        .path("count");
  }

  /** A file of operations: the shape, then things that refer to earlier ones. */
  private Path operations() throws IOException {
    if (!FILE.isEmpty()) {
      return Path.of(FILE);
    }
    var text =
        new StringBuilder(
            """
            {"operation":"add","name":"S","data":{"fields":{"to?":"wref"}}}
            {"operation":"add","name":"S/t1","data":{}}
            """);
    for (int i = 2; i < ROWS; i++) {
      text.append(
          "{\"operation\":\"add\",\"name\":\"S/t%d\",\"data\":{\"to\":\"S/t%d\"}}\n"
              .formatted(i, i / 2));
    }
    return Files.writeString(directory.resolve("operations.ndjson"), text);
  }

  private static long lines(Path file) throws IOException {
    try (var in = Files.newInputStream(file);
        var reader =
            new BufferedReader(
                new InputStreamReader(
                    file.toString().endsWith(".gz") ? new GZIPInputStream(in) : in, UTF_8))) {
      return reader.lines().count();
    }
  }

  private Path csv() throws IOException {
    var text = new StringBuilder("id,name,country,population,area,capital\n");
    for (int i = 0; i < ROWS; i++) {
      text.append(
          "%06d,\"City, %d\",%s,%d,%s,%s\n"
              .formatted(
                  i, i, i % 2 == 0 ? "de" : "fr", i * 17, i % 3 == 0 ? "" : "1.5", i % 7 == 0));
    }
    return Files.writeString(directory.resolve("cities.csv"), text);
  }

  private static JsonNode report(Cli.Result result) throws IOException {
    assertEquals(0, result.code(), result.err());
    return JSON.readTree(result.out());
  }

  private static void assertCounts(JsonNode report, long added, long revised, long unchanged) {
    assertEquals(added, report.path("added").asLong(), report.toString());
    assertEquals(revised, report.path("revised").asLong(), report.toString());
    assertEquals(unchanged, report.path("unchanged").asLong(), report.toString());
    assertEquals(0, report.path("failed").asLong(), report.toString());
  }

  /** Kills a process when the repository has some of its entities, but not all. */
  private void killInTheMiddle(Cli.Running running, String repository) throws Exception {
    Eventually.await(LONG, "a part is imported", () -> count(repository) > ROWS / 10);
    running.process().destroyForcibly().waitFor();
    assertEquals(137, running.process().exitValue(), "it was over before it was killed");
  }

  /** Runs a command to its end, and writes to the log how long it took and its memory. */
  private static Cli.Result measured(String what, long items, Cli.Running running)
      throws Exception {
    long begun = System.nanoTime();
    long memory = 0;
    var status = Path.of("/proc", Long.toString(running.process().pid()), "status");
    while (!running.process().waitFor(50, TimeUnit.MILLISECONDS)) {
      memory = Math.max(memory, peakKibibytes(status));
    }
    double seconds = (System.nanoTime() - begun) / 1e9;
    LOG.infof(
        "%s: %,d items in %.1f s, %,.0f a second, %d MiB at most",
        what, items, seconds, items / seconds, memory / 1024);
    return running.await();
  }

  private static long peakKibibytes(Path status) {
    try {
      return Files.readAllLines(status).stream()
          .filter(line -> line.startsWith("VmHWM:"))
          .mapToLong(line -> Long.parseLong(line.replaceAll("[^0-9]", "")))
          .findFirst()
          .orElse(0);
    } catch (IOException e) {
      return 0; // it has just ended, or this system has no such file
    }
  }

  private static void assertVerified(String repository) {
    replica
        .as(token)
        .get("/api/repos/imports/" + repository + "/verification")
        .then()
        .statusCode(200)
        .body("verified", Matchers.is(true));
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void operations_are_imported_once_although_the_process_was_killed(boolean hasStreams)
      throws Exception {
    var whole = "whole-" + hasStreams;
    var killed = "killed-" + hasStreams;
    repository(whole, hasStreams);
    repository(killed, hasStreams);
    var file = operations();
    long lines = lines(file);
    var how = hasStreams ? "by a stream" : "in commits";
    var all = measured(how, lines, in(whole).start("import", file.toString(), "--json"));
    assertCounts(report(all), lines, 0, 0);
    assertEquals(lines, count(whole));

    killInTheMiddle(in(killed).start("import", file.toString()), killed);
    var resumed =
        measured(how + ", resumed", lines, in(killed).start("import", file.toString(), "--json"));
    assertCounts(report(resumed), lines, 0, 0);
    assertEquals(lines, count(killed));
    assertVerified(killed);
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void rows_of_csv_with_an_inferred_shape_are_imported_once_although_the_process_was_killed(
      boolean hasStreams) throws Exception {
    var cities = "cities-" + hasStreams;
    repository(cities, hasStreams);
    var file = csv();
    var unconfirmed = in(cities).run(options(file));
    assertEquals(2, unconfirmed.code(), unconfirmed.err());
    assertTrue(unconfirmed.err().contains("\"area?\" : \"number\""), unconfirmed.err());
    assertTrue(unconfirmed.err().contains("\"id\" : \"string\""), unconfirmed.err());
    assertTrue(unconfirmed.err().contains("--yes is needed"), unconfirmed.err());
    assertEquals(0, count(cities));

    killInTheMiddle(in(cities).start(options(file, "--yes")), cities);
    var resumed =
        measured("CSV, resumed", ROWS, in(cities).start(options(file, "--yes", "--json")));
    assertCounts(report(resumed), ROWS, 0, 0);
    assertEquals(ROWS + 1, count(cities));

    var text = Files.readString(file).replaceFirst("City, 3\"", "Town, 3\"") + "x,Y,de,1,,false\n";
    Files.writeString(file, text);
    assertCounts(report(in(cities).run(options(file, "--dry-run", "--json"))), 1, 1, ROWS - 1);
    assertEquals(ROWS + 1, count(cities));
    assertCounts(report(in(cities).run(options(file, "--json"))), 1, 1, ROWS - 1);
    assertEquals(ROWS + 2, count(cities));
    assertVerified(cities);
  }

  private static String[] options(Path file, String... more) {
    var fixed =
        List.of("import", file.toString(), "--shape", "City", "--key", "{country}/{id}", "--infer");
    return Stream.concat(fixed.stream(), Stream.of(more)).toArray(String[]::new);
  }

  @Test
  void an_export_is_imported_elsewhere_and_is_the_same_there() throws Exception {
    repository("original", true);
    repository("copy", false);
    var imported = in("original").run("import", operations().toString(), "--atomic", "--json");
    assertCounts(report(imported), count("original"), 0, 0);
    assertEquals(
        1,
        replica
            .as(token)
            .get("/api/repos/imports/original/commits")
            .then()
            .extract()
            .<Integer>path("items.size()"));

    var file = directory.resolve("export.ndjson");
    var exported = report(in("original").run("export", "--output", file.toString(), "--json"));
    long lines = lines(file);
    assertEquals(lines, exported.path("recordCount").asLong());
    assertEquals(count("original"), lines);
    assertEquals(Files.size(file), exported.path("bytes").asLong());
    assertEquals(Files.readString(file), in("original").run("export").out());

    assertCounts(report(in("copy").run("import", file.toString(), "--json")), lines, 0, 0);
    assertCounts(report(in("copy").run("import", file.toString(), "--json")), 0, 0, lines);
    assertEquals(data(in("original").run("export").out()), data(in("copy").run("export").out()));
  }

  /** What a copy has too: not the versions, times and authors. */
  private static List<String> data(String export) {
    return export
        .lines()
        .map(line -> line.replaceAll("\"(created|updated)At\":[0-9]+,", ""))
        .toList();
  }
}
