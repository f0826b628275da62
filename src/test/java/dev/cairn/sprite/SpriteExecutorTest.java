package dev.cairn.sprite;

import static dev.cairn.Api.as;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.hamcrest.Matchers.is;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.cairn.Api;
import dev.cairn.HttpTest;
import dev.cairn.InProcess;
import dev.cairn.People;
import dev.cairn.TestDatabase;
import dev.cairn.access.token.Sprites;
import dev.cairn.action.Outcome;
import dev.cairn.work.Step;
import io.quarkus.test.junit.QuarkusTest;
import java.nio.file.Files;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Sprites: what a command gets, and what its end means; {@code docs/sprites.md}. */
@HttpTest
@QuarkusTest
@InProcess("It is about the bean.")
class SpriteExecutorTest extends SpriteExecutions {
  @Test
  void a_command_that_ends_with_0_has_succeeded() throws Exception {
    assertEquals(new Outcome.Succeeded(null), result(command("exit 0")));
  }

  @Test
  void a_command_gets_the_api_the_repository_the_run_and_the_trace() throws Exception {
    command(writeEnvironment());
    var environment = environment();
    assertEquals("http://cairn.example", environment.get("CAIRN_API_URL"));
    assertEquals(org() + "/repo", environment.get("CAIRN_REPO"));
    assertEquals(sprite.runId().toString(), environment.get("CAIRN_RUN_ID"));
    assertEquals("1", environment.get("CAIRN_ATTEMPT"));
    assertEquals(sprite.traceId().toString(), environment.get("CAIRN_TRACE_ID"));
    assertFalse(environment.containsKey("CAIRN_TOKEN"), "there are no tokenScopes");
  }

  /** Its token is sent there, so no other account may have chosen it. */
  @Test
  void the_api_is_that_of_the_account_that_the_command_acts_for() throws Exception {
    sprite.configure(
        "{'command':'%s',%s}".formatted(writeEnvironment(), STDIN), null, TestDatabase.ADMIN_EMAIL);
    var attempt = sprite.attempt(org(), "repo", "{}".getBytes(UTF_8));
    database.update(
        "update subscription set base_url = 'http://cairn.example/new' where name = ?",
        sprite.name());
    executor.execute(attempt);
    assertEquals("http://cairn.example/new", environment().get("CAIRN_API_URL"));
  }

  @Test
  void the_token_is_good_for_the_scopes_and_the_time_of_the_subscription() throws Exception {
    var creator = People.member(org(), "editor");
    sprite.configure(
        "{'command':'%s','inputMode':'stdin','tokenTtlMinutes':60}".formatted(writeEnvironment()),
        "[{'permissions':['repo:read']}]",
        creator.email());
    executor.execute(sprite.attempt(org(), "repo", "{}".getBytes(UTF_8)));
    var token = environment().get("CAIRN_TOKEN");
    as(token).get(repository + "/head").then().statusCode(200);
    as(token).get("/api/whoami").then().body("token.name", is(sprite.name()));
    as(token)
        .body(Map.of("operations", List.of()))
        .post(repository + "/commits")
        .then()
        .statusCode(403);
    var minutes =
        database
            .first(
                """
                select extract(epoch from expires_at - created_at)::int / 60 from service_token
                where run_id = ?
                """,
                row -> row.getInt(1),
                sprite.runId())
            .orElseThrow();
    assertEquals(60, minutes);
  }

  @Test
  void each_attempt_has_a_token_of_its_own() throws Exception {
    var creator = People.member(org(), "editor");
    sprite.configure(
        "{'command':'%s','inputMode':'stdin'}".formatted(writeEnvironment()),
        "[{'permissions':['repo:read']}]",
        creator.email());
    executor.execute(sprite.attempt(org(), "repo", "{}".getBytes(UTF_8)));
    var first = environment().get("CAIRN_TOKEN");
    // The next command is another user.
    Files.delete(files.resolve("env"));
    executor.execute(sprite.attempt(org(), "repo", "{}".getBytes(UTF_8)));
    assertNotEquals(first, environment().get("CAIRN_TOKEN"));
  }

  @Test
  void a_status_other_than_0_is_told_with_the_end_of_the_output() throws Exception {
    var failed = failed(command("echo lots; echo why >&2; exit 7"), "SPRITE_EXIT_NONZERO", true);
    assertEquals("The command ended with status 7.\nwhy", failed.message());
    assertEquals(
        "The command ended with status 1.\nout",
        failed(command("echo out; exit 1"), "SPRITE_EXIT_NONZERO", true).message());
  }

  @Test
  void a_success_is_told_with_the_beginning_of_the_output() throws Exception {
    assertEquals("out\nmore", output(command("echo out; echo why >&2; echo more")));
    assertEquals("why", output(command("echo why >&2")));
    assertEquals(
        "x".repeat(SpriteOutput.MAX_CHARACTERS) + "…",
        output(command("yes x | head -n 3000 | tr -d [:space:]")));
  }

  @Test
  void the_output_of_a_success_shows_no_token_and_no_secret() throws Exception {
    sprite.configure(
        "{'command':'echo see $CAIRN_TOKEN'," + STDIN + "}",
        "[{'permissions':['repo:read']}]",
        People.member(org(), "editor").email());
    var run = "{}".getBytes(UTF_8);
    assertEquals("see …", output(executor.execute(sprite.attempt(org(), "repo", run))));
    bind(Map.of("API_KEY", "hunter22"));
    sprite.configure(
        "{'command':'echo it is $API_KEY'," + STDIN + "}", null, TestDatabase.ADMIN_EMAIL);
    assertEquals("it is …", output(executor.execute(sprite.attempt(org(), "repo", run))));
  }

  @Test
  void the_output_of_a_success_shows_no_piece_of_a_secret_where_it_was_cut() throws Exception {
    bind(Map.of("API_KEY", "hunter22"));
    sprite.configure(
        "{'command':'yes $API_KEY | head -n 9000 | tr -d [:space:]; echo end'," + STDIN + "}",
        null,
        TestDatabase.ADMIN_EMAIL);
    var output = output(executor.execute(sprite.attempt(org(), "repo", "{}".getBytes(UTF_8))));
    assertTrue(output.matches("…+end"), output);
  }

  private static String output(Step<Outcome> step) {
    return ((Outcome.Succeeded) result(step)).output();
  }

  @Test
  void the_message_shows_no_token() throws Exception {
    var creator = People.member(org(), "editor");
    sprite.configure(
        "{'command':'echo see $CAIRN_TOKEN; exit 1','inputMode':'stdin'}",
        "[{'permissions':['repo:read']}]",
        creator.email());
    var outcome = executor.execute(sprite.attempt(org(), "repo", "{}".getBytes(UTF_8)));
    assertEquals(
        "The command ended with status 1.\nsee …",
        failed(outcome, "SPRITE_EXIT_NONZERO", true).message());
  }

  @Test
  void the_message_shows_no_piece_of_a_token_where_the_output_was_cut() throws Exception {
    var creator = People.member(org(), "editor");
    sprite.configure(
        "{'command':'yes $CAIRN_TOKEN | head -n 5000 | tr -d [:space:]; exit 1'," + STDIN + "}",
        "[{'permissions':['repo:read']}]",
        creator.email());
    var outcome = executor.execute(sprite.attempt(org(), "repo", "{}".getBytes(UTF_8)));
    var message = failed(outcome, "SPRITE_EXIT_NONZERO", true).message();
    assertTrue(message.matches("The command ended with status 1\\.\n…+"), message);
  }

  @Test
  void the_message_shows_no_token_of_the_callback() throws Exception {
    sprite.configure("{'command':'cat; exit 1'," + STDIN + "}", null, TestDatabase.ADMIN_EMAIL);
    var input = "{\"callbackUrl\":\"http://cairn.example/callback?token=%s\"}";
    var body = input.formatted(Sprites.CALLBACK_TOKEN).getBytes(UTF_8);
    assertEquals(
        "The command ended with status 1.\n" + input.formatted("…"),
        failed(executor.execute(sprite.attempt(org(), "repo", body)), "SPRITE_EXIT_NONZERO", true)
            .message());
  }

  @Test
  void the_message_of_a_command_elsewhere_shows_no_secret_either() throws Exception {
    try (var service = new Elsewhere()) {
      bind(Map.of("API_KEY", "hunter22"));
      sprite.configure("{'command':'true'," + STDIN + "}", null, TestDatabase.ADMIN_EMAIL);
      var ongoing =
          ongoing(
              service
                  .executor(database, tokens, credentials, roles, metrics)
                  .execute(sprite.attempt(org(), "repo", "{}".getBytes(UTF_8))));
      service.end(1, "it is hunter22, by Bearer " + Elsewhere.KEY);
      assertEquals(
          "The command ended with status 1.\nit is …, by Bearer …",
          failed(ongoing.poll(), "SPRITE_EXIT_NONZERO", true).message());
    }
  }

  @Test
  void the_message_of_a_command_elsewhere_shows_no_password_of_the_git_base() throws Exception {
    try (var service = new Elsewhere()) {
      sprite.configure(
          "{'command':'true'," + STDIN + ",'gitRepo':'o/r','ref':'main'}",
          null,
          TestDatabase.ADMIN_EMAIL);
      var ongoing =
          ongoing(
              service
                  .executor(database, tokens, credentials, roles, metrics)
                  .execute(sprite.attempt(org(), "repo", "{}".getBytes(UTF_8))));
      service.end(1, "https://user:p%40ssword@git.example.org/o/r by p@ssword");
      assertEquals(
          "The command ended with status 1.\nhttps://…@git.example.org/o/r by …",
          failed(ongoing.poll(), "SPRITE_EXIT_NONZERO", true).message());
    }
  }

  /** Which everybody sees who sees the runs of a public repository. */
  @Test
  void the_first_line_of_a_failed_checkout_shows_nothing_of_the_git_base() throws Exception {
    sprite.configure(
        "{'command':'true'," + STDIN + ",'gitRepo':'o/r','ref':'main'}",
        null,
        TestDatabase.ADMIN_EMAIL);
    var settings =
        Map.of(
            "cairn.sprite.backend",
            "local",
            "cairn.sprite.git-base",
            "http://user:p%40ssword@127.0.0.1:1/inside");
    var outcome = executor(settings, backends).execute(sprite.attempt(org(), "repo", new byte[0]));
    var lines = failed(outcome, "SPRITE_CREATE_FAILED", true).message().lines().toList();
    assertEquals("`main` of `o/r` cannot be checked out.", lines.getFirst());
    assertTrue(lines.get(1).contains("127.0.0.1:1/inside/o/r"), lines::toString);
  }

  @Test
  void an_input_too_long_for_the_environment_is_terminal_and_told() throws Exception {
    sprite.configure("{'command':'true','inputMode':'env'}", null, TestDatabase.ADMIN_EMAIL);
    var longest = "x".repeat(SpriteExecutor.MAX_VARIABLE);
    assertEquals(
        new Outcome.Succeeded(null),
        result(executor.execute(sprite.attempt(org(), "repo", longest.getBytes(UTF_8)))));
    var failed =
        failed(
            executor.execute(sprite.attempt(org(), "repo", (longest + "x").getBytes(UTF_8))),
            "SPRITE_EXECUTION_FAILED",
            false);
    assertTrue(failed.message().contains("json-file"), failed::message);
  }

  @ParameterizedTest
  @ValueSource(strings = {"/etc/x", "../x", "a/../../x", "a//b", "./x", "a/", "", ".git/config"})
  void a_path_of_the_input_stays_in_the_working_directory(String path) throws Exception {
    failed(
        execute("{'command':'true','inputMode':'json-file','inputPath':'" + path + "'}"),
        "SPRITE_CREATE_FAILED",
        false);
  }

  @Test
  void a_repository_that_means_something_else_to_git_is_terminal() throws Exception {
    failed(
        execute("{'command':'true'," + STDIN + ",'gitRepo':'ext::sh/x','ref':'main'}"),
        "SPRITE_CREATE_FAILED",
        false);
  }

  @Test
  void a_subscription_that_is_not_there_is_terminal() throws Exception {
    sprite.deleteSubscription();
    failed(
        executor.execute(sprite.attempt(org(), "repo", "{}".getBytes(UTF_8))),
        "SUBSCRIPTION_DELETED",
        false);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "none"})
  void without_a_backend_the_key_is_missing(String backend) throws Exception {
    sprite.configure(
        "{'command':'true'," + STDIN + "}",
        "[{'permissions':['repo:read']}]",
        TestDatabase.ADMIN_EMAIL);
    var settings =
        backend.isEmpty() ? Map.<String, String>of() : Map.of("cairn.sprite.backend", backend);
    failed(
        executor(settings, backends).execute(sprite.attempt(org(), "repo", new byte[0])),
        "SPRITE_AUTH_MISSING",
        false);
  }

  @Test
  void organizations_that_are_not_named_run_none() throws Exception {
    sprite.configure("{'command':'true'," + STDIN + "}", null, TestDatabase.ADMIN_EMAIL);
    var attempt = sprite.attempt(org(), "repo", new byte[0]);
    var named =
        Map.of("cairn.sprite.backend", "local", "cairn.sprite.organizations", "else," + org());
    assertEquals(new Outcome.Succeeded(null), result(executor(named, backends).execute(attempt)));
    var other = Map.of("cairn.sprite.backend", "local", "cairn.sprite.organizations", "else");
    failed(executor(other, backends).execute(attempt), "SPRITE_AUTH_MISSING", false);
  }

  @Test
  void runs_are_counted_by_backend_and_outcome() throws Exception {
    command("exit 9");
    Api.anonymous()
        .get("/q/metrics")
        .then()
        .body(
            org.hamcrest.Matchers.containsString(
                "cairn_sprite_runs_seconds_count{backend=\"local\",outcome=\"SPRITE_EXIT_NONZERO\"}"));
  }
}
