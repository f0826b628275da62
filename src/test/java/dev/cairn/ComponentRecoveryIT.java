package dev.cairn;

import static org.hamcrest.Matchers.is;
import static org.hamcrest.Matchers.oneOf;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.cairn.platform.database.EmbeddedDatabase;
import io.restassured.response.ValidatableResponse;
import java.nio.file.Path;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * {@code docs/components.md}, The steps: the packaged service is killed (SIGKILL) while
 * installations, upgrades or teardowns are about to take a step, each another one; the same request
 * to another replica ends in the state of one that was never interrupted.
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

  /** The replica that the test kills; it starts while the test prepares. */
  private CompletableFuture<Replica> victim;

  @BeforeAll
  static void start() throws Exception {
    database = Databases.create();
    service = replica("service", Map.of("CAIRN_DATABASE_POOL_SIZE", "8"));
    token = service.signIn();
    send("POST", "/api/orgs", Map.of("name", "makers")).statusCode(201);
    register("1.0.0", "first", "second");
  }

  @AfterAll
  static void stop() throws Exception {
    if (service != null) {
      service.stop();
    }
    if (database != null) {
      database.close();
    }
  }

  private static Replica replica(String name, Map<String, String> settings) throws Exception {
    var all = new HashMap<>(settings);
    all.put("CAIRN_LIMITS_SUBSCRIPTIONS_PER_MINUTE", "1000");
    return Replica.start(database, directory.resolve(name + ".log"), all);
  }

  /**
   * An account has an eighth of the connections for changes, and here they are all held until the
   * last one is.
   */
  @BeforeEach
  void startVictim() {
    var settings =
        Map.of(
            "CAIRN_DATABASE_POOL_SIZE",
            "96",
            "QUARKUS_DATASOURCE_JDBC_ADDITIONAL_JDBC_PROPERTIES_OPTIONS",
            "-c statement_timeout=60000 -c lock_timeout=60000 -c enable_seqscan=off -c jit=off");
    victim =
        CompletableFuture.supplyAsync(
            () -> {
              try {
                return replica("victim", settings);
              } catch (Exception e) {
                throw new CompletionException(e);
              }
            },
            Threads.OWN);
  }

  @AfterEach
  void killVictim() throws InterruptedException {
    victim.join().kill();
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

  private static void install(String path, String version) {
    send("POST", path, versionOf(version)).statusCode(oneOf(200, 201)).body("version", is(version));
  }

  private static Map<String, String> versionOf(String version) {
    return Map.of("component", "makers/parts", "version", version);
  }

  /**
   * Kills the replica before each step of a request, in a repository of its own for each, and
   * repeats the requests at the other one: all is as in a repository where nothing was killed.
   *
   * @param prepare makes a repository of a name; answers the path of the request
   * @param body of the request
   * @param request sends the request to the other replica
   */
  private void assertCompletedByRepeating(
      String name,
      List<String> steps,
      UnaryOperator<String> prepare,
      Object body,
      Consumer<String> request)
      throws Exception {
    try (var state = new InstalledState(database)) {
      request.accept(prepare.apply(name));
      var whole = state.of(name);
      var stepsOf = new TreeMap<String, String>();
      var paths = new TreeMap<String, String>();
      for (var step : steps) {
        var repository = name + "-" + paths.size();
        stepsOf.put(repository, step);
        paths.put(repository, prepare.apply(repository));
      }
      kill(state, stepsOf, paths.values(), body);
      for (var repository : paths.keySet()) {
        var step = stepsOf.get(repository);
        assertNotEquals(whole, state.of(repository), step);
        request.accept(paths.get(repository));
        assertEquals(whole, state.of(repository), step);
      }
    }
  }

  /** Sends requests to the replica, which is killed when each of them is about to take its step. */
  private void kill(
      InstalledState state, Map<String, String> steps, Collection<String> paths, Object body)
      throws Exception {
    var killed = victim.join();
    try (var _ = state.hold(steps)) {
      var answers =
          paths.stream()
              .map(
                  path ->
                      CompletableFuture.supplyAsync(
                          () -> killed.as(token).body(body).post(path).statusCode(), Threads.OWN))
              .toList();
      state.awaitHeld(steps.size());
      killed.kill();
      for (var answer : answers) {
        assertThrows(CompletionException.class, answer::join, "it was killed");
      }
    }
  }

  @Test
  void an_installation_that_is_killed_before_any_of_its_steps_is_completed_by_repeating_it()
      throws Exception {
    assertCompletedByRepeating(
        "installed",
        INSTALLATION,
        ComponentRecoveryIT::repository,
        versionOf("1.0.0"),
        path -> install(path, "1.0.0"));
  }

  @Test
  void an_upgrade_that_is_killed_before_any_of_its_steps_is_completed_by_repeating_it()
      throws Exception {
    register("1.1.0", "first", "third");
    assertCompletedByRepeating(
        "upgraded",
        UPGRADE,
        ComponentRecoveryIT::withInstalled,
        versionOf("1.1.0"),
        path -> install(path, "1.1.0"));
  }

  private static String withInstalled(String name) {
    var path = repository(name);
    install(path, "1.0.0");
    return path;
  }

  @Test
  void a_teardown_that_is_killed_before_any_of_its_steps_is_completed_by_repeating_it()
      throws Exception {
    assertCompletedByRepeating(
        "torn",
        TEARDOWN,
        ComponentRecoveryIT::teardown,
        Map.of(),
        path -> send("POST", path, Map.of()).statusCode(200));
  }

  /** The path at which what is installed in a new repository is torn down. */
  private static String teardown(String name) {
    var path = withInstalled(name);
    List<String> ids = service.as(token).get(path).path("installId");
    return path + "/" + ids.getFirst() + "/teardown";
  }
}
