package dev.cairn;

import static org.hamcrest.Matchers.is;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.cairn.docs.PageExample;
import dev.cairn.platform.database.EmbeddedDatabase;
import java.io.IOException;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The log as JSON: {@code docs/monitoring.md}, Logs. */
class LogsIT {
  private static final ObjectMapper JSON = new ObjectMapper();

  @TempDir static Path directory;

  private static EmbeddedDatabase.Running database;
  private static Replica replica;
  private static Path log;
  private static String token;
  private static String repository;

  @BeforeAll
  static void start() throws Exception {
    database = Databases.create();
    log = directory.resolve("service.log");
    replica =
        Replica.start(
            database,
            log,
            Map.of(
                "CAIRN_LOG_JSON", "true",
                "CAIRN_EGRESS_ALLOW", "127.0.0.1"));
    token = replica.signIn();
    replica.as(token).body(Map.of("name", "logs")).post("/api/orgs").then().statusCode(201);
    replica
        .as(token)
        .body(Map.of("name", "repo"))
        .post("/api/orgs/logs/repos")
        .then()
        .statusCode(201);
    repository = "/api/repos/logs/repo";
    commit("{'operation':'add','name':'Shape/S','data':{'fields':{}}}");
  }

  @AfterAll
  static void stop() throws InterruptedException {
    if (replica != null) {
      replica.stop();
    }
    if (database != null) {
      database.close();
    }
  }

  private static void commit(String operation) {
    replica
        .as(token)
        .body("{'operations':[%s]}".formatted(operation).replace('\'', '"'))
        .post(repository + "/commits")
        .then()
        .statusCode(201);
  }

  /** All lines so far, of which each has to be an object. */
  private static List<JsonNode> lines() throws IOException {
    var lines = new ArrayList<JsonNode>();
    for (var line : Files.readAllLines(log)) {
      var object = JSON.readTree(line);
      assertTrue(object.isObject() && object.has("message") && object.has("level"), line);
      lines.add(object);
    }
    return lines;
  }

  private static JsonNode await(Predicate<JsonNode> wanted) throws Exception {
    return Eventually.poll(
            "the line is in " + log,
            () -> lines().stream().filter(wanted).findFirst(),
            Optional::isPresent)
        .orElseThrow();
  }

  private static Predicate<JsonNode> says(String text) {
    return line -> line.path("message").asText().contains(text);
  }

  /** How the test starts the service; {@code docs/limits.md}, When memory runs out. */
  @Test
  void a_start_without_the_option_that_ends_the_process_is_a_warning() throws Exception {
    var line = await(says("start java with -XX:+ExitOnOutOfMemoryError"));
    assertEquals("WARN", line.path("level").asText());
  }

  @Test
  void what_an_attempt_writes_has_its_ids() throws Exception {
    int closed;
    try (var free = new ServerSocket(0)) {
      closed = free.getLocalPort();
    }
    replica
        .as(token)
        .body(
            Map.of(
                "name", "hook",
                "kind", "webhook",
                "shapeName", "S",
                "filterJson", Map.of(),
                "webhookUrl", "http://127.0.0.1:" + closed + "/"))
        .post(repository + "/subs")
        .then()
        .statusCode(201);
    commit("{'operation':'add','name':'S/thing','data':{}}");
    var line = await(says("failed by WEBHOOK_NETWORK_ERROR"));
    var runId = replica.as(token).get(repository + "/actions/runs").<String>path("[0].runId");
    assertEquals(runId, line.at("/mdc/runId").asText());
    assertEquals("1", line.at("/mdc/attempt").asText());
    assertEquals(36, line.at("/mdc/repoId").asText().length());
    PageExample.assertShows(
        "docs/monitoring.md, Logs", line, "/timestamp", "/mdc/runId", "/mdc/repoId", "/hostName");
  }

  @Test
  void what_is_written_of_an_export_has_its_ids() throws Exception {
    replica.as(token).get(repository + "/export?prefer=async").then().statusCode(202);
    var line = await(says("records,"));
    assertTrue(line.path("message").asText().contains(line.at("/mdc/exportId").asText() + ","));
    assertEquals("1", line.at("/mdc/attempt").asText());
  }

  @Test
  void a_fault_is_one_line_with_its_cause_and_the_trace_id_of_the_answer() throws Exception {
    execute("alter table commit_log rename to commit_log_away");
    String traceId;
    try {
      traceId =
          replica
              .as(token)
              .get(repository + "/commits")
              .then()
              .statusCode(500)
              .body("code", is("INTERNAL_ERROR"))
              .extract()
              .path("traceId");
    } finally {
      execute("alter table commit_log_away rename to commit_log");
    }
    var line = await(l -> traceId.equals(l.at("/mdc/traceId").asText()));
    assertEquals("ERROR", line.path("level").asText());
    assertTrue(line.path("stackTrace").asText().contains("commit_log"), line::toString);
  }

  private static void execute(String sql) throws SQLException {
    try (var connection =
            DriverManager.getConnection(database.jdbcUrl(), database.user(), database.password());
        var statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }
}
