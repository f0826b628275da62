package dev.cairn.action;

import static dev.cairn.Api.admin;
import static dev.cairn.Api.as;
import static org.hamcrest.Matchers.contains;
import static org.hamcrest.Matchers.endsWith;
import static org.hamcrest.Matchers.everyItem;
import static org.hamcrest.Matchers.hasSize;
import static org.hamcrest.Matchers.is;
import static org.hamcrest.Matchers.nullValue;
import static org.hamcrest.Matchers.startsWith;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.cairn.Api;
import dev.cairn.HttpTest;
import dev.cairn.People;
import dev.cairn.Prepared;
import dev.cairn.access.token.Sprites;
import dev.cairn.platform.LocalCommands;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.response.ValidatableResponse;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Actions, Traces: sprites that write what triggers them; {@code docs/actions.md}. */
@HttpTest
@QuarkusTest
class SpriteTraceTest {
  private final Deliveries deliveries = new Deliveries();

  @TempDir Path files;

  private String repository;

  @BeforeAll
  static void commandsCanRun() {
    assumeTrue(LocalCommands.obstacle().isEmpty(), () -> LocalCommands.obstacle().orElseThrow());
  }

  @BeforeEach
  void repository() {
    repository = Api.newRepository("private");
    Sprites.trust(repository);
    Prepared.commit(repository, "{'operation':'add','name':'Note','data':{'fields':{}}}");
  }

  /** A command line of {@link SpriteProgram}, for whoever the command will be. */
  private String program() throws IOException {
    var name = SpriteProgram.class.getName().replace('.', '/') + ".class";
    var copy = files.resolve(name);
    Files.createDirectories(copy.getParent());
    try (var compiled = SpriteProgram.class.getClassLoader().getResourceAsStream(name)) {
      Files.copy(compiled, copy);
    }
    try (var all = Files.walk(files)) {
      for (var file : all.toList()) {
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
      }
    }
    return "%s -XX:TieredStopAtLevel=1 -XX:+UseSerialGC -cp %s %s"
        .formatted(
            Path.of(System.getProperty("java.home"), "bin", "java"),
            files,
            SpriteProgram.class.getName());
  }

  private void subscribe(String command, String more) {
    var body =
        ("{'name':'loop','kind':'sprite','shapeName':'Note','filterJson':{},"
                + "'tokenScopes':[{'permissions':['repo:write']}],"
                + "'spriteConfig':{'command':'%s','inputMode':'stdin'}%s}")
            .formatted(command, more);
    admin().body(body.replace('\'', '"')).post(repository + "/subs").then().statusCode(201);
  }

  private void begin() {
    Prepared.commit(repository, "{'operation':'add','name':'Note/first','data':{}}");
  }

  private ValidatableResponse runs() {
    return admin().get(repository + "/actions/runs?limit=200").then().statusCode(200);
  }

  private long notes() {
    return admin()
        .get(repository + "/count?shape=Note&kind=thing")
        .then()
        .extract()
        .jsonPath()
        .getLong("count");
  }

  @Test
  void a_sprite_that_writes_what_triggers_it_runs_once_in_a_trace() throws Exception {
    subscribe(program(), "");
    begin();
    assertEquals(1, deliveries.run(repository));
    runs().body("status", contains("succeeded"), "executorKind", contains("sprite"));
    assertEquals(2, notes(), "the sprite has committed");
    // The trace has ended; another commit begins one.
    Api.commit(repository, "{'operation':'add','name':'Note/second','data':{}}").statusCode(201);
    assertEquals(1, deliveries.run(repository));
    assertEquals(4, notes());
  }

  @Test
  void what_a_command_repeats_of_its_input_has_no_callback_token() {
    subscribe("cat >&2; exit 1", "");
    begin();
    assertEquals(1, deliveries.run(repository));
    var path = "/actions/runs/" + deliveries.onlyRun(repository) + "/attempts";
    admin()
        .get(repository + path)
        .then()
        .statusCode(200)
        .body("errorCode", contains("SPRITE_EXIT_NONZERO"))
        .body("errorMessage", contains(endsWith("/callback?token=…\"}}")));
  }

  @Test
  void the_output_of_a_successful_attempt_is_shown_to_those_who_see_failures() {
    subscribe("echo done; cat", "");
    begin();
    assertEquals(1, deliveries.run(repository));
    var path = repository + "/actions/runs/" + deliveries.onlyRun(repository) + "/attempts";
    var org = repository.split("/", -1)[3];
    for (var token : List.of(Api.adminToken(), People.member(org, "editor").token())) {
      as(token)
          .get(path)
          .then()
          .body("status", contains("succeeded"))
          .body("output", contains(startsWith("done\n")))
          .body("output", contains(endsWith("/callback?token=…\"}}")))
          .body("message", contains(nullValue()));
    }
    as(People.member(org, "viewer").token())
        .get(path)
        .then()
        .statusCode(200)
        .body("status", contains("succeeded"))
        .body("output", contains(nullValue()));
  }

  @Test
  void what_a_command_reports_of_its_secrets_is_masked() throws Exception {
    subscribe(program() + " report", "");
    admin()
        .body(Map.of("keys", Map.of("DEPLOY_KEY", "hunter22")))
        .put(repository + "/credential-sets/deploy")
        .then()
        .statusCode(200);
    admin()
        .body(Map.of("credentialSetName", "deploy"))
        .post(repository + "/subs/loop/bind")
        .then()
        .statusCode(200);
    begin();
    assertEquals(1, deliveries.run(repository));
    runs().body("status", contains("failed_terminal"), "lastErrorMessage", contains("log: … …"));
  }

  @Test
  void with_re_entry_a_trace_ends_16_runs_deep() throws Exception {
    subscribe(program(), ",'allowTraceReentry':true");
    begin();
    assertEquals(16, deliveries.run(repository));
    runs().body("", hasSize(16), "status", everyItem(is("succeeded")));
    assertEquals(17, notes());
    assertEquals(
        "1 traces, 16 deep",
        deliveries.value(
            """
            select count(distinct trace_id) || ' traces, ' || max(depth) || ' deep'
            from action_run where repo_id = ?
            """,
            Api.repoId(repository)));
  }

  @Test
  void what_a_failed_command_wrote_is_shown_with_its_attempt() {
    subscribe("echo no water >&2; exit 3", "");
    begin();
    assertEquals(1, deliveries.run(repository));
    runs().body("status", contains("retry_wait"), "lastErrorCode", contains("SPRITE_EXIT_NONZERO"));
    var run = deliveries.onlyRun(repository);
    admin()
        .get(repository + "/actions/runs/" + run + "/attempts")
        .then()
        .statusCode(200)
        .body("status", contains("failed"))
        .body("executorKind", contains("sprite"))
        .body("errorCode", contains("SPRITE_EXIT_NONZERO"))
        .body("errorMessage", contains("The command ended with status 3.\nno water"))
        .body("[0]", org.hamcrest.Matchers.not(org.hamcrest.Matchers.hasKey("httpStatus")));
  }

  @Test
  void a_revised_subscription_runs_its_new_command() throws Exception {
    subscribe("exit 1", "");
    admin()
        .body(Map.of("spriteConfig", Map.of("command", "exit 0")))
        .patch(repository + "/subs/loop")
        .then()
        .statusCode(200);
    begin();
    deliveries.run(repository);
    runs().body("status", contains("succeeded"));
  }
}
