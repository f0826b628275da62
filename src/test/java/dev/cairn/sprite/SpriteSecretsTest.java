package dev.cairn.sprite;

import static dev.cairn.Api.admin;
import static dev.cairn.Api.as;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.cairn.HttpTest;
import dev.cairn.InProcess;
import dev.cairn.People;
import dev.cairn.TestDatabase;
import dev.cairn.action.Outcome;
import dev.cairn.work.Step;
import io.quarkus.test.junit.QuarkusTest;
import java.nio.file.Files;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Sprites: who may have which variables; {@code docs/credentials.md}, Variables of sprites. */
@HttpTest
@QuarkusTest
@InProcess("It is about the bean.")
class SpriteSecretsTest extends SpriteExecutions {
  @Test
  void the_keys_of_a_bound_credential_set_are_in_the_environment() throws Exception {
    bind(Map.of("API_KEY", "hunter22"));
    sprite.configure(
        "{'command':'%s; echo $API_KEY; exit 1','inputMode':'stdin'}".formatted(writeEnvironment()),
        null,
        TestDatabase.ADMIN_EMAIL);
    var failed =
        failed(
            executor.execute(sprite.attempt(org(), "repo", "{}".getBytes(UTF_8))),
            "SPRITE_EXIT_NONZERO",
            true);
    assertTrue(failed.message().endsWith("\n…"), failed::message);
    var environment = environment();
    assertEquals("hunter22", environment.get("API_KEY"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"LD_PRELOAD", "PATH", "CAIRN_TOKEN", "BASH_ENV", "lower"})
  void a_stored_key_that_may_be_no_variable_ends_the_run_and_runs_nothing(String key)
      throws Exception {
    // The API refuses it: as if an older version had stored it, or an organization's set.
    bind(Map.of("API_KEY", "hunter22"));
    database.update(
        """
        update credential_set set name = 'other'
        where repo_id = (select repo_id from subscription where name = ?)
        """,
        sprite.name());
    admin()
        .body(Map.of("keys", Map.of("API_KEY", "a", key, "/x")))
        .put("/api/orgs/" + org() + "/credential-sets/set")
        .then()
        .statusCode(200);
    var marker = files.resolve("marker");
    var failed = failed(command("touch " + marker), "CREDENTIALS_UNAVAILABLE", false);
    assertTrue(failed.message().endsWith("\nIt is `" + key + "`."), failed::message);
    // Readers of a public repository see the first line.
    assertFalse(failed.message().lines().findFirst().orElseThrow().contains(key));
    assertFalse(Files.exists(marker), "the command was run");
  }

  @Test
  void the_set_of_a_principal_that_may_no_longer_configure_is_not_opened() throws Exception {
    bind(Map.of("API_KEY", "hunter22"));
    var member = People.member(org(), "admin");
    var marker = files.resolve("marker");
    sprite.configure("{'command':'touch %s',%s}".formatted(marker, STDIN), null, member.email());
    admin()
        .body(Map.of("role", "editor"))
        .put("/api/orgs/" + org() + "/members/" + member.inPath())
        .then()
        .statusCode(200);
    failed(
        executor.execute(sprite.attempt(org(), "repo", new byte[0])),
        "CREDENTIALS_UNAVAILABLE",
        false);
    assertFalse(Files.exists(marker), "the command was run");
  }

  /** A variable can lead a command elsewhere, long after the member that set it has left. */
  @Test
  void a_set_with_a_value_of_somebody_who_may_set_none_any_more_is_not_opened() throws Exception {
    bind(Map.of("API_KEY", "hunter22"));
    var member = People.member(org(), "admin");
    var set = repository + "/credential-sets/set";
    var proxy = Map.of("keys", Map.of("ALL_PROXY", "http://localhost:1"));
    as(member.token()).body(proxy).put(set).then().statusCode(200);
    assertEquals(new Outcome.Succeeded(null), result(command("true")));
    var path = "/api/orgs/" + org() + "/members/" + member.inPath();
    admin().body(Map.of("role", "editor")).put(path).then().statusCode(200);
    failed(command("true"), "CREDENTIALS_UNAVAILABLE", false);
    admin().delete(path).then().statusCode(200);
    admin().body(Map.of("keys", Map.of("API_KEY", "new"))).put(set).then().statusCode(200);
    failed(command("true"), "CREDENTIALS_UNAVAILABLE", false);
    admin().body("{\"keys\":{\"ALL_PROXY\":null}}").put(set).then().statusCode(200);
    assertEquals(new Outcome.Succeeded(null), result(command("true")));
  }

  @Test
  void the_command_of_a_principal_that_may_set_none_any_more_is_not_run() throws Exception {
    var member = People.member(org(), "editor");
    var marker = files.resolve("marker");
    sprite.configure("{'command':'touch %s',%s}".formatted(marker, STDIN), null, member.email());
    var path = "/api/orgs/" + org() + "/members/" + member.inPath();
    admin().body(Map.of("role", "viewer")).put(path).then().statusCode(200);
    failed(
        executor.execute(sprite.attempt(org(), "repo", new byte[0])), "SPRITE_AUTH_MISSING", false);
    admin().delete(path).then().statusCode(200);
    failed(
        executor.execute(sprite.attempt(org(), "repo", new byte[0])), "SPRITE_AUTH_MISSING", false);
    assertFalse(Files.exists(marker), "the command was run");
  }

  /** As the local backend asks after a checkout, which may have taken long. */
  @Test
  void what_the_principal_has_lost_until_the_command_begins_is_not_given_to_it() throws Exception {
    bind(Map.of("API_KEY", "hunter22"));
    var member = People.member(org(), "admin");
    var path = "/api/orgs/" + org() + "/members/" + member.inPath();
    sprite.configure("{'command':'true'," + STDIN + "}", null, member.email());
    failed(
        late(() -> admin().body(Map.of("role", "editor")).put(path).then().statusCode(200)),
        "CREDENTIALS_UNAVAILABLE",
        false);
    admin().body(Map.of("role", "admin")).put(path).then().statusCode(200);
    assertEquals(new Outcome.Succeeded(null), result(late(() -> {})));
    failed(late(() -> admin().delete(path).then().statusCode(200)), "SPRITE_AUTH_MISSING", false);
  }

  /** Carries out an attempt by a backend that renews the secrets after something has happened. */
  private Step<Outcome> late(Runnable meanwhile) throws Exception {
    var backend =
        new SpriteBackend() {
          @Override
          public String name() {
            return "late";
          }

          @Override
          public SpriteState begin(SpriteRun run) throws SpriteException {
            meanwhile.run();
            assertEquals("hunter22", run.renewal().secrets().get("API_KEY"));
            return new SpriteExit(0, "", "");
          }
        };
    return executor(Map.of("cairn.sprite.backend", "late"), List.of(backend))
        .execute(sprite.attempt(org(), "repo", "{}".getBytes(UTF_8)));
  }

  @Test
  void a_credential_set_that_is_not_there_is_terminal() throws Exception {
    database.update(
        "update subscription set credential_set = 'gone' where name = ?", sprite.name());
    failed(command("true"), "CREDENTIALS_UNAVAILABLE", false);
  }
}
