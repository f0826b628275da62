package dev.cairn.cli.repository;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.cairn.cli.CommandTest;
import dev.cairn.cli.FakeTerminal;
import dev.cairn.cli.command.ExitCode;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class RepoCommandTest extends CommandTest {
  private static final JsonMapper JSON = new JsonMapper();
  private static final String ROUTE = "/api/repos/garden/greenhouse";

  private static String repository(String more) {
    return """
    {"orgName":"garden","name":"greenhouse","visibility":"private","repoSeq":0,"createdAt":1,\
    "updatedAt":1%s}\
    """
        .formatted(more);
  }

  @BeforeEach
  void answer() {
    server.answer("PATCH " + ROUTE, 200, repository(""));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "repo rename garden/greenhouse 100%s|{'name':'100%s'}|Renamed garden/greenhouse to 100%s.",
        "repo archive garden/greenhouse|{'archived':true}|Archived garden/greenhouse.",
        "repo unarchive garden/greenhouse|{'archived':false}|garden/greenhouse takes writes again.",
        "repo edit garden/greenhouse --description x|{'description':'x'}|Changed"
            + " garden/greenhouse.",
        "repo visibility garden/greenhouse private|{'visibility':'private'}|garden/greenhouse is"
            + " private now.",
        "repo visibility garden/greenhouse public --yes|{'visibility':'public'}|garden/greenhouse"
            + " is public now."
      })
  void a_change_sends_what_changes(String line, String body, String sentence) throws Exception {
    var result = cairn().run(line.split(" "));
    assertEquals(sentence + "\n", result.err());
    assertBody(0, body);
  }

  @ParameterizedTest
  @ValueSource(strings = {"rename", "archive", "unarchive", "delete --yes"})
  void a_repository_that_is_only_in_use_is_never_changed_as_a_whole(String command) {
    var result = cairn().run(("repo " + command).split(" "));
    assertEquals(ExitCode.USAGE.code(), result.code());
    assertTrue(server.requests().isEmpty());
  }

  @Test
  void making_public_is_asked_for() {
    var result =
        cairn()
            .on(FakeTerminal.of(80))
            .input("n\n")
            .run("repo", "visibility", "garden/greenhouse", "public");
    assertEquals(ExitCode.FAILED.code(), result.code());
    assertTrue(
        result.err().startsWith("Let everybody read garden/greenhouse, with its whole history?"));
    assertTrue(server.requests().isEmpty());
  }

  @Test
  void another_visibility_names_the_two() {
    var result = cairn().run("repo", "visibility", "garden/greenhouse", "secret");
    assertEquals(ExitCode.USAGE.code(), result.code());
    assertTrue(
        result.err().startsWith("cairn: <visibility> is public or private, and was 'secret'."));
  }

  @Test
  void settings_are_merged_and_an_empty_value_removes_one() throws Exception {
    var result =
        cairn()
            .run(
                "repo",
                "settings",
                "--streams",
                "on",
                "--notify-url",
                "",
                "--search-vectors",
                "off");
    assertEquals(0, result.code(), result.err());
    assertEquals(
        JSON.readTree(
            """
            {"settings":{"streams":{"enabled":true},"notifications":{"webhookUrl":null},\
            "search":{"vectors":false}}}\
            """),
        JSON.readTree(server.requests().getFirst().body()));
  }

  @Test
  void settings_are_shown_with_their_defaults() {
    server
        .answer("GET " + ROUTE, 200, repository(",\"settings\":{}"))
        .answer(
            "GET " + ROUTE,
            200,
            repository(
                """
                ,"settings":{"streams":{"enabled":true},"notifications":{"webhookUrl":"u",\
                "credentialSetName":"hooks"},"search":{"language":"english","vectors":false}}\
                """))
        .answer("GET " + ROUTE, 200, repository(""));
    assertEquals(
        "Streams\toff\nSearch language\tsimple\nSearch by vectors\ton\n",
        cairn().run("repo", "settings").out());
    assertEquals(
        """
        Streams\ton
        Notification URL\tu
        Notification credential\thooks
        Search language\tenglish
        Search by vectors\toff
        """,
        cairn().run("repo", "settings").out());
    assertEquals("Settings\tshown to editors and above\n", cairn().run("repo", "settings").out());
  }

  @Test
  void a_switch_is_on_or_off() {
    var result = cairn().run("repo", "settings", "--streams", "yes");
    assertEquals(ExitCode.USAGE.code(), result.code());
    assertTrue(result.err().contains("expected on or off, and got 'yes'"), result.err());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "true||0|",
        "true|--expect abc|0|",
        "true|--expect abd|1|The newest commit has another hash than was expected.",
        "false||1|The history does not match its hashes from commit 5 on."
      })
  void a_history_that_does_not_match_ends_with_1(
      boolean verified, String expected, int code, String sentence) {
    server.answer(
        "GET " + ROUTE + "/verification",
        200,
        "{\"verified\":%s,\"commits\":9,\"hash\":\"abc\"%s}"
            .formatted(verified, verified ? "" : ",\"brokenAt\":5"));
    var line = "verify --quiet" + (expected == null ? "" : " " + expected);
    var result = cairn().run(line.split(" "));
    assertEquals(code, result.code());
    assertTrue(result.out().startsWith("Verified\t" + (verified ? "yes" : "no")), result.out());
    assertTrue(sentence == null || result.err().startsWith("cairn: " + sentence), result.err());
  }
}
