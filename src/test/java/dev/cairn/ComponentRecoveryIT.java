package dev.cairn;

import static org.hamcrest.Matchers.is;
import static org.hamcrest.Matchers.oneOf;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.cairn.embedded.EmbeddedPostgres;
import dev.cairn.platform.database.EmbeddedDatabase;
import io.restassured.response.ValidatableResponse;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * {@code docs/components.md}, The steps: the packaged service is killed (SIGKILL) while an
 * installation, an upgrade or a teardown is about to take a step; the same request to another
 * replica ends in the state of one that was never interrupted.
 */
class ComponentRecoveryIT {
  private static final ObjectMapper JSON = new ObjectMapper();

  /** The writes of an installation, each of which is a step of its own. */
  private static final List<String> INSTALLATION =
      List.of(
          "insert on component_install",
          "update on component_install new.state = 'installing'",
          "insert on commit_log",
          "insert on credential_set new.name = 'first'",
          "insert on credential_set new.name = 'second'",
          "insert on subscription new.name = 'first'",
          "insert on subscription new.name = 'second'",
          "update on component_install new.state = 'installed'",
          "insert on service_token");

  private static final List<String> UPGRADE =
      List.of(
          "update on component_install new.state = 'installing'",
          "insert on commit_log",
          "insert on credential_set new.name = 'third'",
          "update on subscription new.name = 'first'",
          "insert on subscription new.name = 'third'",
          "update on component_install new.state = 'installed'");

  private static final List<String> TEARDOWN =
      List.of(
          "update on component_install new.state = 'torn_down'",
          "update on subscription new.name = 'first'",
          "update on subscription new.name = 'second'",
          "insert on commit_log");

  @TempDir static Path directory;

  private static EmbeddedDatabase.Running database;
  private static Replica service;
  private static String token;
  private static CompletableFuture<Replica> next;

  @BeforeAll
  static void start() throws Exception {
    database = new EmbeddedPostgres().start(directory.resolve("database"), false);
    service = replica("service");
    token = service.signIn();
    send("POST", "/api/orgs", Map.of("name", "makers")).statusCode(201);
    register("1.0.0", "first", "second");
    next = victim();
  }

  @AfterAll
  static void stop() throws Exception {
    if (next != null) {
      next.join().kill();
    }
    if (service != null) {
      service.stop();
    }
    if (database != null) {
      database.close();
    }
  }

  private static Replica replica(String name) throws Exception {
    return Replica.start(
        database,
        directory.resolve(name + ".log"),
        Map.of("CAIRN_DATABASE_POOL_SIZE", "8", "CAIRN_LIMITS_SUBSCRIPTIONS_PER_MINUTE", "1000"));
  }

  /** The next replica that is killed; it starts while the test goes on. */
  private static CompletableFuture<Replica> victim() {
    return CompletableFuture.supplyAsync(
        () -> {
          try {
            return replica("victim");
          } catch (Exception e) {
            throw new CompletionException(e);
          }
        });
  }

  private static ValidatableResponse send(String method, String path, Object body) {
    return service.as(token).body(body).request(method, path).then();
  }

  /** Registers a version with a shape, a seed, and two credential sets and two subscriptions. */
  private static void register(String version, String one, String other) throws Exception {
    var part =
        """
        {"name":"%1$s","kind":"webhook","shapeName":"Part","filterJson":{},
         "webhookUrl":"https://parts.example/%2$s","credentialSetName":"%1$s"}\
        """;
    var manifest =
        """
        {"component":{"id":"parts","name":"Parts","version":"%1$s"},
         "shapes":[{"name":"Part","data":{"description":"Of %1$s","fields":{}}}],
         "credentials":[{"name":"%2$s","keys":["A"]},{"name":"%3$s","keys":["A"]}],
         "subscriptions":[%4$s,%5$s],
         "seeds":[{"name":"Part/one","data":{}}],
         "runtimeAccess":{"writes":["Part/**"]}}\
        """
            .formatted(
                version, one, other, part.formatted(one, version), part.formatted(other, version));
    JsonNode json = JSON.readTree(manifest);
    send(
            "PUT",
            "/api/component-registry/makers/parts",
            Map.of("manifest", json, "mintsToken", true))
        .statusCode(oneOf(200, 201));
  }

  private static String repository(String name) {
    send("POST", "/api/orgs/makers/repos", Map.of("name", name)).statusCode(201);
    return "/api/repos/makers/" + name + "/components";
  }

  private static ValidatableResponse install(String path, String version) {
    return send("POST", path, Map.of("component", "makers/parts", "version", version))
        .statusCode(oneOf(200, 201))
        .body("version", is(version));
  }

  /** Sends a request to a replica that is killed when it is about to take a step. */
  private static void kill(InstalledState state, String step, String path, Object body)
      throws Exception {
    var victim = next.join();
    next = victim();
    var repository = path.split("/", -1)[4];
    try (var _ = state.hold(repository, step)) {
      var answer =
          CompletableFuture.supplyAsync(
              () -> victim.as(token).body(body).post(path).statusCode(), Threads.OWN);
      state.awaitHeld();
      victim.kill();
      assertThrows(CompletionException.class, answer::join, "it was killed");
    }
  }

  @Test
  void an_installation_that_is_killed_before_any_of_its_steps_is_completed_by_repeating_it()
      throws Exception {
    try (var state = new InstalledState(database)) {
      install(repository("whole"), "1.0.0");
      var whole = state.of("whole");
      for (int i = 0; i < INSTALLATION.size(); i++) {
        var step = INSTALLATION.get(i);
        var path = repository("killed-" + i);
        kill(state, step, path, Map.of("component", "makers/parts", "version", "1.0.0"));
        assertNotEquals(whole, state.of("killed-" + i), step);
        install(path, "1.0.0");
        assertEquals(whole, state.of("killed-" + i), step);
      }
    }
  }

  @Test
  void an_upgrade_that_is_killed_before_any_of_its_steps_is_completed_by_repeating_it()
      throws Exception {
    register("1.1.0", "first", "third");
    try (var state = new InstalledState(database)) {
      var wholePath = repository("upgraded");
      install(wholePath, "1.0.0");
      install(wholePath, "1.1.0");
      var whole = state.of("upgraded");
      for (int i = 0; i < UPGRADE.size(); i++) {
        var step = UPGRADE.get(i);
        var path = repository("upgraded-" + i);
        install(path, "1.0.0");
        kill(state, step, path, Map.of("component", "makers/parts", "version", "1.1.0"));
        assertNotEquals(whole, state.of("upgraded-" + i), step);
        install(path, "1.1.0");
        assertEquals(whole, state.of("upgraded-" + i), step);
      }
    }
  }

  @Test
  void a_teardown_that_is_killed_before_any_of_its_steps_is_completed_by_repeating_it()
      throws Exception {
    try (var state = new InstalledState(database)) {
      tearDown(repository("torn"));
      var whole = state.of("torn");
      for (int i = 0; i < TEARDOWN.size(); i++) {
        var step = TEARDOWN.get(i);
        var path = repository("torn-" + i);
        String id = install(path, "1.0.0").extract().path("installId");
        kill(state, step, path + "/" + id + "/teardown", Map.of());
        assertNotEquals(whole, state.of("torn-" + i), step);
        send("POST", path + "/" + id + "/teardown", Map.of()).statusCode(200);
        assertEquals(whole, state.of("torn-" + i), step);
      }
    }
  }

  private static void tearDown(String path) {
    String id = install(path, "1.0.0").extract().path("installId");
    send("POST", path + "/" + id + "/teardown", Map.of()).statusCode(200);
  }
}
