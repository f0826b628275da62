package dev.cairn;

import static org.hamcrest.Matchers.is;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import dev.cairn.platform.Configs;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The packaged service with all of its settings in {@code config/application.properties}: {@code
 * docs/configuration.md}.
 */
class ConfigFileIT {
  private static final String WORLD = "/api/repos/demo/world";

  @TempDir Path directory;

  private Replica service;
  private String token;

  @AfterEach
  void stop() throws InterruptedException {
    if (service != null) {
      service.stop();
    }
  }

  @Test
  void the_file_overrides_the_defaults_of_the_embedded_database() throws Exception {
    assumeFalse(Artifact.isNative(), "an executable has no embedded database");
    TestDatabase.linkPrograms(directory.resolve("elsewhere"));
    start(
        Map.of(
            "cairn.signup.open", "false",
            "cairn.sprite.backend", "none",
            "cairn.quotas.bytes-per-organization", "100000000",
            "cairn.data-dir", "elsewhere"));

    service
        .anonymous()
        .body(Map.of("email", "stranger@example.org", "password", "long enough"))
        .post("/api/auth/signup")
        .then()
        .statusCode(403);
    token = service.signIn();
    service
        .as(token)
        .get("/api/orgs/demo")
        .then()
        .statusCode(200)
        .body("usage.bytes.limit", is(100_000_000));
    assertEquals("failed_terminal", statusOfCommand());
    assertTrue(Files.exists(directory.resolve("elsewhere/postgres.port")));
    assertFalse(Files.exists(directory.resolve("elsewhere/secret.key")));
    assertFalse(Files.exists(directory.resolve("data")));
  }

  @Test
  void the_database_that_the_file_names_is_used() throws Exception {
    try (var database = Databases.create()) {
      start(
          Map.of(
              "cairn.database.url", database.jdbcUrl(),
              "cairn.database.user", database.user(),
              "cairn.database.password", database.password()));

      service.signIn();
      assertFalse(Files.exists(directory.resolve("data")), "there is another database");
      service.stop();
    }
  }

  private void start(Map<String, String> settings) throws Exception {
    var all = new HashMap<>(settings);
    all.put("cairn.secret-key", Configs.SECRET_KEY);
    all.put("cairn.admin.email", TestDatabase.ADMIN_EMAIL);
    all.put("cairn.admin.password", TestDatabase.ADMIN_PASSWORD);
    service = Replica.start(directory, all);
  }

  /** How a run of a command in the demo repository ends. */
  private String statusOfCommand() throws InterruptedException {
    commit("{'operation':'add','name':'Shape/Note','data':{'fields':{}}}");
    service
        .as(token)
        .body(
            Map.of(
                "name", "command",
                "kind", "sprite",
                "shapeName", "Note",
                "filterJson", Map.of(),
                "spriteConfig", Map.of("command", "true", "inputMode", "stdin")))
        .post(WORLD + "/subs")
        .then()
        .statusCode(201);
    commit("{'operation':'add','name':'Note/a','data':{}}");
    return Eventually.poll(
        "the run ends",
        () -> service.as(token).get(WORLD + "/actions/runs").<String>path("[0].status"),
        status -> status != null && !List.of("pending", "running").contains(status));
  }

  private void commit(String operation) {
    service
        .as(token)
        .body("{'operations':[%s]}".formatted(operation).replace('\'', '"'))
        .post(WORLD + "/commits")
        .then()
        .statusCode(201);
  }
}
