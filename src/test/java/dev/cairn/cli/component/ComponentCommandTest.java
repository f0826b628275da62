package dev.cairn.cli.component;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.cairn.cli.CommandTest;
import dev.cairn.cli.FakeTerminal;
import dev.cairn.cli.command.ExitCode;
import java.nio.file.Files;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ComponentCommandTest extends CommandTest {
  private static final JsonMapper JSON = new JsonMapper();
  private static final String ID = "01a22923-9f4d-7f81-a7e3-2ba04eec924b";
  private static final String INSTALLS = "/api/repos/garden/greenhouse/components";
  private static final String REGISTRY = "/api/component-registry/garden/x";
  private static final String PLAN =
      """
      {"installId":"%s","component":"garden/x","version":"1.0.0","manifestHash":"seen",\
      "plan":[{"kind":"shape","name":"Cycle","action":"create"}]%s}\
      """;

  private void answerInstalls() {
    server
        .answer("POST " + INSTALLS, 200, PLAN.formatted(ID, ""))
        .answer("POST " + INSTALLS, 201, PLAN.formatted(ID, ",\"token\":\"cairn_cmp_x\""));
  }

  @Test
  void a_person_sees_the_plan_and_exactly_that_is_installed() throws Exception {
    answerInstalls();
    var result =
        cairn().on(FakeTerminal.of(80)).input("y\n").run("component", "install", "garden/x");
    assertEquals(0, result.code());
    assertTrue(
        result
            .err()
            .startsWith(
                """
                The plan for garden/x 1.0.0:
                  create   shape           Cycle
                Install garden/x in garden/greenhouse? [y/N]\
                """),
        result.err());
    assertTrue(result.out().contains("cairn_cmp_x"), result.out());
    assertBody(0, "{'component':'garden/x','dryRun':true}");
    assertBody(1, "{'component':'garden/x','expectedManifestHash':'seen'}");
  }

  @Test
  void a_person_who_says_no_has_only_seen_the_plan() {
    answerInstalls();
    var result =
        cairn().on(FakeTerminal.of(80)).input("n\n").run("component", "install", "garden/x");
    assertEquals(ExitCode.FAILED.code(), result.code());
    assertEquals(1, server.requests().size());
  }

  @Test
  void without_a_terminal_nothing_is_sent_unless_yes_was_given() throws Exception {
    assertEquals(ExitCode.USAGE.code(), cairn().run("component", "install", "garden/x").code());
    assertTrue(server.requests().isEmpty());
    server.answer("POST " + INSTALLS, 201, PLAN.formatted(ID, ""));
    cairn().run("component", "install", "garden/x", "--yes", "--at", "1.0.0", "--expect-hash", "h");
    assertBody(0, "{'component':'garden/x','version':'1.0.0','expectedManifestHash':'h'}");
  }

  @Test
  void a_dry_run_asks_nothing_and_shows_the_plan() throws Exception {
    server.answer("POST " + INSTALLS, 200, PLAN.formatted(ID, ""));
    var result = cairn().run("component", "install", "garden/x", "--dry-run");
    assertEquals("create\tshape\tCycle\n", result.out());
    var json = cairn().run("component", "install", "garden/x", "--dry-run", "--json");
    assertEquals("seen", JSON.readTree(json.out()).path("manifestHash").asText());
  }

  @Test
  void an_install_is_named_by_its_component_or_its_id() {
    server.answer(
        "GET " + INSTALLS,
        200,
        """
        [{"installId":"%s","component":"garden/x","version":"1","manifestHash":"h",\
        "state":"installed","createdAt":1,"updatedAt":1}]\
        """
            .formatted(ID));
    var route = "POST " + INSTALLS + "/" + ID + "/doctor";
    server.answer(route, 200, "{\"healthy\":true,\"checks\":[]}");
    assertEquals(0, cairn().run("component", "doctor", "garden/x").code());
    assertEquals(0, cairn().run("component", "doctor", ID).code());
    var other = cairn().run("component", "doctor", "garden/y");
    assertEquals(ExitCode.NOT_FOUND.code(), other.code());
    assertTrue(other.err().contains("Try: cairn component install garden/y"), other.err());
  }

  @Test
  void a_component_that_is_not_well_ends_with_1_and_says_what_to_do() {
    server.answer(
        "POST " + INSTALLS + "/" + ID + "/doctor",
        200,
        """
        {"healthy":false,"checks":[{"kind":"token","name":"x","ok":false,"detail":"It expired.",\
        "fix":"Rotate it."}]}\
        """);
    var result = cairn().run("component", "doctor", ID);
    assertEquals(ExitCode.FAILED.code(), result.code());
    assertEquals("wrong\ttoken\tx\tIt expired.\tRotate it.\n", result.out());
  }

  @Test
  void a_teardown_shows_its_plan_first() throws Exception {
    var route = "POST " + INSTALLS + "/" + ID + "/teardown";
    server.answer(
        route,
        200,
        "{\"plan\":[{\"kind\":\"token\",\"name\":\"x\",\"action\":\"revoke\"}],\"dryRun\":true}");
    var line = new String[] {"component", "teardown", ID, "--subscriptions", "delete"};
    var result = cairn().on(FakeTerminal.of(80)).input("y\n").run(line);
    assertTrue(result.err().contains("revoke   token           x\nTear down"), result.err());
    assertBody(0, "{'subscriptions':'delete','dryRun':true}");
    assertBody(1, "{'subscriptions':'delete'}");
  }

  @Test
  void arguments_of_a_call_are_texts_or_json() throws Exception {
    server.answer("POST " + REGISTRY + "/cli/find", 200, "{\"status\":200,\"body\":\"a\\nb\"}");
    var line = "component call garden/x find --arg n=5 --arg e= --json-arg s=[1,2]";
    assertEquals("a\nb\n", cairn().run(line.split(" ")).out());
    assertBody(0, "{'installRepo':'garden/greenhouse','args':{'n':'5','e':'','s':[1,2]}}");
    var file = Files.writeString(home.resolve("args.json"), "{\"n\":5}");
    cairn().run("component", "call", "garden/x", "find", "--args", file.toString());
    assertBody(1, "{'installRepo':'garden/greenhouse','args':{'n':5}}");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{'status':204,'body':null}|0|",
        "{'status':404,'body':{'error':'no'}}|1|The component's server answered 404.",
        "{'status':null,'body':null,'reason':'timeout','detail':'It took too long.'}|1|The"
            + " component's server did not answer: It took too long."
      })
  void a_call_without_success_ends_with_1(String answer, int code, String sentence)
      throws Exception {
    var json = answer.replace('\'', '"');
    server.answer("POST " + REGISTRY + "/cli/find", 200, json);
    var result = cairn().run("component", "call", "garden/x", "find", "--json");
    assertEquals(code, result.code());
    assertEquals(JSON.readTree(json), JSON.readTree(result.out()));
    assertTrue(sentence == null || result.err().startsWith("cairn: " + sentence), result.err());
  }

  @Test
  void a_registration_has_what_was_given() throws Exception {
    server.answer(
        "PUT " + REGISTRY,
        200,
        """
        {"org":"garden","name":"x","visibility":"public","version":"1","versions":[],\
        "manifest":{},"manifestHash":"h","hasSetup":false,"mintsToken":true,"createdAt":1,\
        "updatedAt":1}\
        """);
    var result =
        cairn()
            .input("{\"component\":{}}")
            .run(
                "component",
                "register",
                "garden/x",
                "--manifest",
                "-",
                "--public",
                "--setup-url",
                "",
                "--mints-token",
                "on");
    assertEquals(0, result.code(), result.err());
    assertBody(
        0, "{'manifest':{'component':{}},'visibility':'public','setupUrl':null,'mintsToken':true}");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "component register garden/x|Give the manifest with --manifest, or the whole request with"
            + " --file.",
        "component register garden/x --manifest - --public --private|--public and --private exclude"
            + " each other.",
        "component get x|'x' is not a component: expected org/name, such as garden/frost-guard.",
        "component get a/b/c|'a/b/c' is not a component: expected org/name, such as"
            + " garden/frost-guard.",
        "component call garden/x m --args - --arg a=b|--args has all arguments, so --arg and"
            + " --json-arg exclude it.",
        "component call garden/x m --json-arg a={|--json-arg a is not JSON"
      })
  void wrong_options_name_the_rule(String line, String sentence) {
    var result = cairn().run(line.split(" "));
    assertEquals(ExitCode.USAGE.code(), result.code());
    assertTrue(result.err().startsWith("cairn: " + sentence), result.err());
    assertTrue(server.requests().isEmpty());
  }

  @Test
  void a_component_that_may_not_be_installed_ends_with_4_and_the_reasons() {
    server.answer(
        "POST " + REGISTRY + "/resolve",
        200,
        """
        {"manifest":{"component":{"version":"1.0.0"}},"manifestHash":"h","hasSetup":false,\
        "eligible":false,"reasons":[{"code":"archived","detail":"It is archived."}]}\
        """);
    var result = cairn().run("component", "resolve", "garden/x");
    assertEquals(ExitCode.FORBIDDEN.code(), result.code());
    assertTrue(result.out().contains("Because\tIt is archived.\n"), result.out());
  }

  @Test
  void a_setup_call_is_made_for_the_manifest_that_was_resolved() throws Exception {
    server.answer(
        "POST " + REGISTRY + "/resolve",
        200,
        """
        {"manifest":{},"manifestHash":"h","hasSetup":true,"installId":"%s","eligible":true,\
        "reasons":[]}\
        """
            .formatted(ID));
    server.answer("POST " + REGISTRY + "/setup-call", 200, "{\"ok\":false,\"detail\":\"No.\"}");
    var result = cairn().run("component", "setup", "garden/x");
    assertEquals(ExitCode.FAILED.code(), result.code());
    assertBody(
        1,
        "{'installRepo':'garden/greenhouse','installId':'%s','expectedManifestHash':'h'}"
            .formatted(ID));
  }
}
