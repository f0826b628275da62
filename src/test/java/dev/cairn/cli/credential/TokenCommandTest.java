package dev.cairn.cli.credential;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.cairn.cli.CommandTest;
import dev.cairn.cli.FakeTerminal;
import dev.cairn.cli.command.ExitCode;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TokenCommandTest extends CommandTest {
  private static final JsonMapper JSON = new JsonMapper();
  private static final String CREATED =
      """
      {"token":"cairn_pat_x","name":"ci","expiresAt":1798545600000,"createdAt":1795953600000,\
      "warnings":["`allowedMatches` was ignored."]}\
      """;

  @Test
  void a_new_token_is_shown_once_with_its_warnings() throws Exception {
    server.answer("POST /api/pats", 201, CREATED);
    var result =
        cairn()
            .run(
                "token",
                "create",
                "ci",
                "--resource",
                "garden/greenhouse",
                "--permission",
                "repo:read,repo:write",
                "--match",
                "Sensor/**",
                "--expires",
                "30d",
                "--description",
                "CI");
    assertEquals("Token\tcairn_pat_x\nName\tci\nExpires\t2026-12-29T12:00:00Z\n", result.out());
    assertEquals(
        "warning: `allowedMatches` was ignored.\nKeep the token now: it is not shown again.\n",
        result.err());
    assertEquals(
        JSON.readTree(
            """
            {"name":"ci","description":"CI","expiresAt":1798545600000,"scopes":[{"resource":\
            "garden/greenhouse","permissions":["repo:read","repo:write"],"allowedMatches":\
            ["Sensor/**"]}]}\
            """),
        JSON.readTree(server.requests().getFirst().body()));
  }

  @Test
  void json_has_the_new_token() throws Exception {
    server.answer("POST /api/pats", 201, CREATED);
    var result = cairn().run("token", "create", "ci", "--json");
    assertEquals("cairn_pat_x", JSON.readTree(result.out()).path("token").asText());
    assertEquals("{\"name\":\"ci\"}", server.requests().getFirst().body());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "--resource garden|--resource and --match narrow permissions, so they need --permission.",
        "--permission repo:read --match A|--match needs a repository: --resource <org/repo>.",
        "--permission repo:read --resource garden --match A|--match needs a repository: --resource"
            + " <org/repo>."
      })
  void options_that_do_not_go_together_name_the_rule(String options, String sentence) {
    var result = cairn().run(("token create ci " + options).split(" "));
    assertEquals(ExitCode.USAGE.code(), result.code());
    assertTrue(result.err().startsWith("cairn: " + sentence), result.err());
    assertTrue(server.requests().isEmpty());
  }

  @Test
  void the_list_says_which_tokens_are_valid_and_what_they_may_do() {
    server.answer(
        "GET /api/pats?limit=500",
        200,
        """
        [{"name":"a","expiresAt":1795953600001,"createdAt":1},\
        {"name":"b","expiresAt":1795953600000,"createdAt":1,"scopes":[{"permissions":["repo:read"]}]},\
        {"name":"c","expiresAt":1795953600001,"revokedAt":2,"createdAt":1,"scopes":[{"resource":\
        "garden","permissions":["repo:read","org:read"],"allowedMatches":["A/*"]}]}]\
        """);
    assertEquals(
        """
        a\tvalid\t2026-11-29T12:00:00.001Z\t1970-01-01T00:00:00.001Z\teverything\t
        b\texpired\t2026-11-29T12:00:00Z\t1970-01-01T00:00:00.001Z\teverything repo:read\t
        c\trevoked\t2026-11-29T12:00:00.001Z\t1970-01-01T00:00:00.001Z\tgarden repo:read,org:read\
         [A/*]\t
        """,
        cairn().run("token", "list").out());
  }

  @ParameterizedTest
  @CsvSource({"y,0,1", "n,1,0", "'',1,0"})
  void a_token_is_revoked_if_the_answer_is_yes(String answer, int code, int requests) {
    server.answer("DELETE /api/pats/ci", 200, "{\"ok\":true}");
    var result = cairn().on(FakeTerminal.of(80)).input(answer + "\n").run("token", "revoke", "ci");
    assertEquals(code, result.code());
    assertTrue(result.err().startsWith("Revoke the token ci? [y/N] "), result.err());
    assertEquals(requests, server.requests().size());
  }

  @Test
  void without_a_terminal_nothing_is_revoked_unless_yes_was_given() {
    server.answer("DELETE /api/pats/ci", 200, "{\"ok\":true}");
    var result = cairn().run("token", "revoke", "ci");
    assertEquals(ExitCode.USAGE.code(), result.code());
    assertTrue(result.err().contains("Try: cairn token revoke ci --yes"), result.err());
    assertTrue(server.requests().isEmpty());
    assertEquals(0, cairn().run("token", "revoke", "ci", "--yes").code());
  }
}
