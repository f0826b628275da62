package dev.cairn;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.cairn.openapi.Shown;
import dev.cairn.platform.database.EmbeddedDatabase;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Reads, commits and live views with the packaged CLI and the packaged service. */
class CliReadsIT {
  private static final ObjectMapper JSON = new ObjectMapper();

  @TempDir static Path directory;
  private static EmbeddedDatabase.Running database;
  private static Replica replica;
  private static Cli cairn;

  @BeforeAll
  static void begin() throws Exception {
    database = Databases.create();
    replica = Replica.start(database, directory.resolve("log"), Map.of("CAIRN_DEMO", "true"));
    var token = replica.signIn();
    var organization =
        replica.as(token).get("/api/whoami").jsonPath().getList("orgs.name", String.class).stream()
            .filter(own -> !own.equals("demo"))
            .findFirst()
            .orElseThrow();
    replica
        .as(token)
        .body(Map.of("name", "cities"))
        .post("/api/orgs/" + organization + "/repos")
        .then()
        .statusCode(201);
    cairn =
        new Cli(Files.createDirectory(directory.resolve("home")), replica.url(""))
            .with("CAIRN_TOKEN", token)
            .with("CAIRN_REPO", organization + "/cities");
  }

  @AfterAll
  static void end() throws Exception {
    if (replica != null) {
      replica.kill();
    }
    database.close();
  }

  private static JsonNode json(Cli shell, String schema, String... args) throws Exception {
    var json = answer(shell, args);
    assertEquals(List.of(), Shown.violations(schema, json), () -> String.join(" ", args));
    return json;
  }

  private static JsonNode answer(Cli shell, String... args) throws Exception {
    var line = new ArrayList<>(List.of(args));
    line.add("--json");
    var result = shell.run(line.toArray(String[]::new));
    assertEquals(0, result.code(), () -> line + ": " + result.err());
    return JSON.readTree(result.out());
  }

  /** A list that may be of several pages: only its items are those of the API. */
  private static void items(Cli shell, String schema, String... args) throws Exception {
    var items = answer(shell, args).path("items");
    assertFalse(items.isEmpty());
    for (var item : items) {
      assertEquals(List.of(), Shown.violations(schema, item), item::toString);
    }
  }

  private static List<String> texts(JsonNode items, String member) {
    return StreamSupport.stream(items.spliterator(), false)
        .map(item -> item.path(member).asText())
        .toList();
  }

  @Test
  void every_read_answers_what_the_api_does() throws Exception {
    var demo = cairn.with("CAIRN_REPO", "demo/world").with("CAIRN_TOKEN", "");
    var countries = json(demo, "ItemPage", "thing", "list", "--match", "Country/B[AE]*");
    assertTrue(countries.path("items").isEmpty());
    assertEquals(
        List.of("BA", "BB", "BD"),
        texts(
            json(demo, "ItemPage", "thing", "list", "-s", "Country", "--match", "*/B*", "-n", "3")
                .path("items"),
            "name"));
    assertEquals(
        249, demo.run("thing", "list", "--shape", "Country", "--jsonl").out().lines().count());
    assertEquals("DE", json(demo, "Thing", "thing", "get", "Country/DE").path("name").asText());
    json(demo, "Thing", "thing", "get", "Country/DE", "--at", "1");
    items(demo, "Assertion", "thing", "about", "Country/BG", "--depth", "2");
    json(demo, "HistoryPage", "thing", "history", "Country/DE");
    items(demo, "Hit", "thing", "search", "united", "islands", "-n", "1");
    json(demo, "ReferencePage", "thing", "refs", "Currency/EUR");
    json(demo, "ReferencePage", "thing", "refs", "LegalTender/BG", "--outbound");
    assertEquals(
        List.of("Country", "Currency", "LegalTender", "Remark"),
        texts(json(demo, "ItemPage", "shape", "list").path("items"), "name"));
    json(demo, "Thing", "shape", "get", "Remark");
    json(demo, "CommitPage", "commit", "log");
    var commit = json(demo, "CommitDetail", "commit", "show");
    assertTrue(commit.path("operations").size() > 400);
    var differences = json(demo, "DifferencePage", "diff", "0", "-n", "2").path("items");
    assertEquals(2, differences.size());
  }

  @Test
  void what_is_wrong_has_its_exit_code_and_a_sentence() throws Exception {
    var missing = cairn.run("thing", "get", "Nothing/here");
    assertEquals(5, missing.code());
    assertTrue(missing.err().contains("cairn: There is no `Nothing/here`."), missing.err());
    assertEquals(7, cairn.run("thing", "list", "--where", "x:eq:1").code());
    assertEquals(2, cairn.run("thing", "lst").code());
    var anonymous = cairn.with("CAIRN_TOKEN", "").with("CAIRN_REPO", "demo/world");
    assertEquals(3, anonymous.run("commit", "submit", "--retract", "Country/DE").code());
  }

  @Test
  void commits_are_made_shown_and_followed() throws Exception {
    json(cairn, "CommitAnswer", "shape", "add", "City", "--field", "people=number", "-m", "Cities");
    json(cairn, "CommitAnswer", "shape", "revise", "City", "--field", "country?=string");
    var dry =
        json(
            cairn,
            "CommitAnswer",
            "commit",
            "submit",
            "--add",
            "City/oslo",
            "-d",
            "{\"people\":717710}",
            "--dry-run");
    assertTrue(dry.path("commitId").isMissingNode());

    var live = cairn.start("thing", "list", "--shape", "City", "--live", "--jsonl");
    var view = cairn.start("thing", "list", "--shape", "City", "--live");
    var log = cairn.start("commit", "log", "--live");
    try {
      await(live, "\"type\":\"snapshot\"");
      await(log, "Cities");
      var input =
          """
          {"operation":"add","name":"City/oslo","data":{"people":717710}}
          {"operation":"add","name":"City/oslo","data":{}}
          """;
      var partial = cairn.run(input, List.of("commit", "submit", "--no-atomic", "-m", "Oslo"));
      assertEquals(1, partial.code(), partial.err());
      assertTrue(partial.out().startsWith("0\tadd\tCity/oslo\t1"), partial.out());
      await(live, "\"type\":\"update\"");
      await(view, "+\tCity/oslo\t1\t{\"people\":717710}\n");
      await(log, "\tOslo\n");
      assertEquals(
          0,
          cairn
              .run(
                  "commit",
                  "submit",
                  "--patch",
                  "City/oslo",
                  "-d",
                  "{\"people\":720000}",
                  "--expected-version",
                  "1")
              .code());
      await(view, "~\tCity/oslo\t2\t{\"people\":720000}\n");
      assertEquals(0, cairn.run("commit", "submit", "--retract", "City/oslo").code());
      await(view, "-\tCity/oslo\t2\t{\"people\":720000}\n");
    } finally {
      for (var running : List.of(live, view, log)) {
        running.process().destroyForcibly().onExit().join();
      }
    }
    var conflict =
        cairn.run(
            "commit",
            "submit",
            "--revise",
            "City/oslo",
            "-d",
            "{\"people\":1}",
            "--expected-version",
            "1");
    assertEquals(6, conflict.code(), conflict.err());
  }

  private static void await(Cli.Running running, String text) {
    Eventually.await(
        () -> text + ": " + TextFile.read(running.out()) + TextFile.read(running.err()),
        () -> TextFile.read(running.out()).contains(text));
  }
}
