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
import dev.cairn.action.Outcome;
import dev.cairn.work.Step;
import io.quarkus.test.junit.QuarkusTest;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Sprites: what a subscription may become while its repository is checked out. */
@HttpTest
@QuarkusTest
@InProcess("It is about the bean.")
class ChangeDuringCheckoutTest extends SpriteExecutions {
  private static final String CHANGED =
      "The subscription was changed while its repository was checked out, so its command was not"
          + " run. The next attempt uses the subscription as it is then.";

  private People.Person editor;
  private Path before;
  private Path after;
  private String path;

  /** An editor's subscription, whose command shows whose rights and secrets it has. */
  @BeforeEach
  void editorsSubscription() throws Exception {
    LocalGit.makeRepository(files.resolve("git/owner/repo"));
    editor = People.member(org(), "editor");
    before = files.resolve("before");
    after = files.resolve("after");
    path = repository + "/subs/" + sprite.name();
    sprite.configure(
        "{'command':'echo $API_KEY $CAIRN_TOKEN > %s',%s,'gitRepo':'owner/repo','ref':'main'}"
            .formatted(before, STDIN),
        "[{'permissions':['repo:read']}]",
        editor.email());
  }

  /** An attempt in which something happens between the checkout and the command. */
  private Step<Outcome> attempt(Runnable meanwhile) throws Exception {
    var local =
        new SpriteBackend() {
          @Override
          public String name() {
            return "local";
          }

          @Override
          public SpriteState begin(SpriteRun run) throws SpriteException, InterruptedException {
            SpriteRun.Renewal renewal =
                () -> {
                  meanwhile.run();
                  return run.renewal().secrets();
                };
            return LocalGit.run(Runs.with(renewal, run));
          }
        };
    var settings =
        Map.of(
            "cairn.sprite.backend",
            "local",
            "cairn.sprite.git-base",
            files.resolve("git").toUri().toString());
    return executor(settings, List.of(local))
        .execute(sprite.attempt(org(), "repo", "{}".getBytes(UTF_8)));
  }

  private void setHarmlessCommand() {
    var command = Map.of("command", "echo $API_KEY > " + after);
    as(editor.token()).body(Map.of("spriteConfig", command)).patch(path).then().statusCode(200);
  }

  private void assertNotRun(Step<Outcome> attempt) {
    assertFalse(Files.exists(before), "the command of before was run");
    assertEquals(CHANGED, failed(attempt, "SPRITE_CREATE_FAILED", true).message());
  }

  @Test
  void a_former_command_gets_no_secrets_of_the_account_that_binds_its_successor() throws Exception {
    admin()
        .body(Map.of("keys", Map.of("API_KEY", "hunter22")))
        .put(repository + "/credential-sets/set")
        .then()
        .statusCode(200);
    assertNotRun(
        attempt(
            () -> {
              setHarmlessCommand();
              admin()
                  .header("If-Match", admin().get(path).getHeader("ETag"))
                  .body(Map.of("credentialSetName", "set"))
                  .post(path + "/bind")
                  .then()
                  .statusCode(200);
            }));
    assertEquals(new Outcome.Succeeded(null), result(attempt(() -> {})));
    assertEquals("hunter22\n", Files.readString(after));
    assertFalse(Files.exists(before), "the command of before was run");
  }

  @Test
  void a_former_command_of_a_removed_editor_is_not_run_for_the_account_that_resumes()
      throws Exception {
    assertNotRun(
        attempt(
            () -> {
              setHarmlessCommand();
              admin()
                  .delete("/api/orgs/" + org() + "/members/" + editor.inPath())
                  .then()
                  .statusCode(200);
              admin().post(path + "/resume").then().statusCode(200);
            }));
    assertEquals(new Outcome.Succeeded(null), result(attempt(() -> {})));
    assertTrue(Files.exists(after), "the present command was not run");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "sprite_config = replace(sprite_config, 'owner/repo', 'owner/other')",
        "sprite_config = replace(sprite_config, 'stdin', 'env')",
        "credential_set = 'set'",
        "token_scopes = '[{\"permissions\":[\"repo:write\"]}]'",
        "token_scopes = null",
        "base_url = 'http://localhost:1'",
        "principal_id = null",
        "principal_id = (select id from account where email = 'admin@example.org')"
      })
  void whatever_decides_what_runs_with_which_rights_is_that_of_before(String change)
      throws Exception {
    assertNotRun(
        attempt(
            () ->
                database.update(
                    "update subscription set " + change + " where name = ?", sprite.name())));
  }

  @Test
  void what_decides_only_when_it_runs_may_change() throws Exception {
    var attempt =
        attempt(
            () ->
                as(editor.token())
                    .body(Map.of("notifyOnSuccess", true))
                    .patch(path)
                    .then()
                    .statusCode(200));
    assertEquals(new Outcome.Succeeded(null), result(attempt));
    assertTrue(Files.exists(before), "the command was not run");
  }

  @Test
  void a_pause_does_not_stop_an_attempt() throws Exception {
    admin().post(path + "/resume").then().statusCode(200);
    var attempt = attempt(() -> admin().post(path + "/pause").then().statusCode(200));
    assertEquals(new Outcome.Succeeded(null), result(attempt));
    assertTrue(Files.exists(before), "the command was not run");
  }

  @Test
  void a_deletion_stops_it() throws Exception {
    var attempt = attempt(() -> admin().delete(path).then().statusCode(200));
    failed(attempt, "SUBSCRIPTION_DELETED", false);
    assertFalse(Files.exists(before), "the command was run");
  }
}
