package dev.cairn.cli.content;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.cairn.cli.CliRun;
import dev.cairn.cli.CommandTest;
import dev.cairn.cli.FakeTerminal;
import java.io.IOException;
import java.nio.file.Files;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class CommitCommandTest extends CommandTest {
  private static final String COMMITS = "/api/repos/garden/greenhouse/commits";

  private static final String COMMITTED =
      """
      {"commitId":"0123456789abcdef","repoSeq":7,"author":"G","createdAt":1,"operationCount":1,
       "operations":[{"opIndex":0,"status":"applied","operation":"add","wref":"Sensor/a","name":"a",
         "kind":"thing","version":1,"warnings":["The shape does not declare `x`."]}]}\
      """;

  @Override
  protected CliRun cairn() {
    return super.cairn().with("NO_COLOR", "1");
  }

  private String sent() {
    return server.requests().getLast().body();
  }

  @Test
  void each_operation_can_be_given_by_options() {
    server.answer("POST " + COMMITS, 201, COMMITTED);
    var operations =
        new TreeMap<>(
            Map.of(
                "--add Sensor/a --data {\"x\":1} --about Sensor/b --skip-existing",
                """
                {"operation":"add","name":"Sensor/a","data":{"x":1},"about":"Sensor/b",\
                "skipExisting":true}\
                """,
                "--revise Sensor/a -d {\"x\":1} --expected-version 2",
                """
                {"operation":"revise","name":"Sensor/a","data":{"x":1},"expectedVersion":2}\
                """,
                "--patch Sensor/a -d {\"x\":null}",
                """
                {"operation":"revise","name":"Sensor/a","patch":{"x":null}}\
                """,
                "--retract Sensor/a",
                """
                {"operation":"retract","name":"Sensor/a"}\
                """,
                "--restore Sensor/a",
                """
                {"operation":"revise","name":"Sensor/a","active":true}\
                """,
                "--rename Sensor/a --to b",
                """
                {"operation":"rename","name":"Sensor/a","newName":"b"}\
                """));
    operations.forEach(
        (options, operation) -> {
          var result = cairn().run(("commit submit " + options).split(" "));
          assertEquals(0, result.code(), result::err);
          assertEquals("{\"operations\":[" + operation + "]}", sent(), options);
        });
  }

  @Test
  void the_result_of_each_operation_is_shown_with_its_warnings() {
    server.answer("POST " + COMMITS, 201, COMMITTED);
    var result = cairn().on(FakeTerminal.of(80)).run("commit", "submit", "--add", "Sensor/a");
    assertEquals(
        """
        #  RESULT  WREF      VERSION
        0  add     Sensor/a        1
        """,
        result.out());
    assertEquals(
        """
        Sensor/a: The shape does not declare `x`.
        Committed as 0123456789abcdef, number 7.
        """,
        result.err());
  }

  @Test
  void message_author_and_dry_run_are_sent_and_a_dry_run_says_so() {
    server.answer("POST " + COMMITS, 200, "{\"operationCount\":1,\"operations\":[]}");
    var result =
        cairn()
            .run(
                "commit submit --retract Sensor/a -m why --author Night --dry-run --no-atomic"
                    .split(" "));
    assertEquals(
        """
        {"operations":[{"operation":"retract","name":"Sensor/a"}],"atomic":false,"message":"why",\
        "author":"Night","dryRun":true}\
        """,
        sent());
    assertEquals("Nothing was written: it was a dry run.\n", result.err());
  }

  @Test
  void a_file_may_have_a_commit_an_array_or_operations_one_after_the_other() throws IOException {
    server.answer("POST " + COMMITS, 201, COMMITTED);
    var operation = "{\"operation\":\"retract\",\"name\":\"S/a\"}";
    var file = home.resolve("operations");
    for (var text :
        new String[] {
          "{\"operations\":[" + operation + "," + operation + "]}",
          "[" + operation + "," + operation + "]",
          operation + "\n" + operation + "\n\n",
          operation + operation
        }) {
      Files.writeString(file, text);
      assertEquals(0, cairn().run("commit", "submit", file.toString()).code());
      assertEquals("{\"operations\":[" + operation + "," + operation + "]}", sent());
      assertEquals(0, cairn().input(text).run("commit", "submit", "-").code());
      assertEquals(0, cairn().input(text).run("commit", "submit").code());
      assertEquals("{\"operations\":[" + operation + "," + operation + "]}", sent());
    }
  }

  @Test
  void data_may_be_in_a_file() throws IOException {
    server.answer("POST " + COMMITS, 201, COMMITTED);
    var file = home.resolve("data.json");
    Files.writeString(file, "{ \"x\": 1.25 }");
    cairn().run("commit", "submit", "--add", "S/a", "--data", "@" + file);
    assertTrue(sent().contains("\"data\":{\"x\":1.25}"), this::sent);
  }

  @Test
  void operations_that_failed_beside_others_are_named_and_fail_the_command() {
    server.answer(
        "POST " + COMMITS,
        201,
        """
        {"commitId":"0123456789abcdef","repoSeq":7,"author":"G","createdAt":1,"operationCount":2,
         "partial":true,"operations":[
           {"opIndex":0,"status":"noop","operation":"noop","wref":"S/a","version":3},
           {"opIndex":1,"status":"error","operation":"add",
            "error":{"code":"ALREADY_EXISTS","detail":"It exists."}}]}\
        """);
    var input =
        """
        {"operation":"revise","name":"S/a","data":{}}
        {"operation":"add","name":"S/b","data":{}}
        """;
    var result = cairn().input(input).run("commit", "submit", "--no-atomic");
    assertEquals("0\tnoop\tS/a\t3\t\n1\terror\tS/b\t\tALREADY_EXISTS: It exists.\n", result.out());
    assertTrue(result.err().contains("1 of 2 operations failed."), result::err);
    assertEquals(1, result.code());
    var json = cairn().input(input).run("commit", "submit", "--no-atomic", "--json");
    assertTrue(json.out().contains("\"partial\": true"), json::out);
    assertEquals(1, json.code());
  }

  @Test
  void input_that_makes_no_commit_is_refused_with_what_was_expected() throws IOException {
    var file = home.resolve("wrong.ndjson");
    Files.writeString(file, "{\"operation\":\"retract\"}\n{\"operation\":}\n");
    var empty = home.resolve("empty.ndjson");
    Files.writeString(empty, "\n");
    var missing = home.resolve("missing");
    var cases =
        cases(
            "submit " + file,
            "7 " + file + " is not JSON: see line 2, ",
            "submit " + empty,
            "7 There are no operations in " + empty,
            "submit " + missing,
            "1 There is no file " + missing + ".",
            "submit --add S/a -d [1]",
            "7 --data must be one JSON object, such as ",
            "submit --add S/a -d {x}",
            "7 --data is not JSON: see line 1, ",
            "submit --add S/a -d {\"a\":1},\"b\":2}",
            "7 --data is not JSON: see line 1, ",
            "submit --add S/a -d {\"a\":1,\"a\":2}",
            "7 --data is not JSON: see line 1, ",
            "submit --add S/a " + file,
            "2 Give either an operation by options or a file, not both.",
            "submit --add S/a --retract S/a",
            "2 ",
            "submit --data {}",
            "2 ",
            "log --since yesterday",
            "2 ");
    cases.forEach(
        (arguments, expected) -> {
          var result = cairn().run(("commit " + arguments).split(" "));
          assertTrue(
              (result.code() + " " + result.err().replace("cairn: ", "")).startsWith(expected),
              () -> arguments + ": " + result);
        });
    var onTerminal = cairn().on(FakeTerminal.of(80)).run("commit", "submit");
    assertEquals(2, onTerminal.code());
    assertTrue(server.requests().isEmpty());
  }

  private static Map<String, String> cases(String... commandsAndAnswers) {
    Map<String, String> cases = new HashMap<>();
    for (int i = 0; i < commandsAndAnswers.length; i += 2) {
      cases.put(commandsAndAnswers[i], commandsAndAnswers[i + 1]);
    }
    return cases;
  }

  @Test
  void no_more_than_64_mebibytes_of_a_file_are_read() throws IOException {
    var bytes = new byte[64 * 1024 * 1024 + 1];
    Arrays.fill(bytes, (byte) ' ');
    bytes[0] = '['; // without an end
    var file = Files.write(home.resolve("large.json"), bytes);
    var result = cairn().run("commit", "submit", file.toString());
    assertEquals(7, result.code());
    assertTrue(result.err().contains("has more than 64 MiB."), result::err);
    assertTrue(result.err().contains("cairn import"), result::err);
  }

  @Test
  void a_commit_has_up_to_10000_operations_and_more_are_to_be_imported() {
    server.answer("POST " + COMMITS, 201, COMMITTED);
    var operation = "{\"operation\":\"retract\",\"name\":\"S/a\"}\n";
    assertEquals(0, cairn().input(operation.repeat(10_000)).run("commit", "submit").code());
    var tooMany = cairn().input(operation.repeat(10_001)).run("commit", "submit");
    assertEquals(7, tooMany.code());
    assertTrue(tooMany.err().contains("at most 10000 operations, and these are 10001"));
    assertTrue(tooMany.err().contains("cairn import"));
  }

  @Test
  void the_log_shows_commits_after_a_time() {
    var commit =
        """
        {"commitId":"0123456789abcdef","repoSeq":7,"author":"G","message":"m",
         "createdAt":1795953600000,"operationCount":3,"hash":"aa","parentHash":"bb"}\
        """;
    server.answer("GET " + COMMITS + "?limit=500", 200, "{\"items\":[" + commit + "]}");
    server.answer("GET " + COMMITS + "?since=1795953600000&limit=500", 200, "{\"items\":[]}");
    assertEquals(
        "0123456789abcdef\t7\t2026-11-29T12:00:00Z\tG\t3\tm\n", cairn().run("commit", "log").out());
    var none =
        cairn().on(FakeTerminal.of(80)).run("commit", "log", "--since", "2026-11-29T12:00:00Z");
    assertEquals("There is no commit.\n", none.err());
  }

  @Test
  void a_commit_is_shown_with_all_pages_of_its_changes() {
    var head =
        """
        {"commitId":"0123456789abcdef","repoSeq":7,"author":"G","createdAt":1795953600000,
         "operationCount":3,"hash":"aa","parentHash":"bb","operations":[\
        """;
    server.answer("GET " + COMMITS + "?limit=1", 200, "{\"items\":[" + head + "]}]}");
    server.answer(
        "GET " + COMMITS + "/0123456789abcdef?limit=500",
        200,
        head
            + """
            {"opIndex":0,"operation":"add","kind":"thing","wref":"S/a","version":1,"active":true},
            {"opIndex":1,"operation":"revise","kind":"thing","wref":"S/b","version":2,"active":false}],
            "nextCursor":"c"}\
            """);
    server.answer(
        "GET " + COMMITS + "/0123456789abcdef?limit=500&cursor=c",
        200,
        head
            + """
            {"opIndex":2,"operation":"rename","kind":"thing","wref":"S/c","formerName":"S/d"}]}\
            """);
    var changes = "add\tS/a\tthing\t1\t\nretract\tS/b\tthing\t2\t\nrename\tS/c\tthing\t\tS/d\n";
    assertTrue(cairn().run("commit", "show", "0123456789abcdef").out().endsWith(changes));
    assertTrue(cairn().run("commit", "show").out().endsWith(changes));
    var json = cairn().run("commit", "show", "--jsonl").out();
    assertTrue(json.contains("\"formerName\":\"S/d\"") && !json.contains("nextCursor"), json);
  }

  @Test
  void a_repository_without_commits_has_none_to_show() {
    server.answer("GET " + COMMITS + "?limit=1", 200, "{\"items\":[]}");
    assertEquals(5, cairn().run("commit", "show").code());
  }

  @Test
  void shapes_are_added_and_revised_by_fields_or_by_a_definition() throws IOException {
    server.answer("POST " + COMMITS, 201, COMMITTED);
    var file = home.resolve("sensor.json");
    Files.writeString(file, "{\"fields\":{\"room\":\"string\"}}");
    var cases =
        Map.of(
            "add Sensor -f room=string -f x?={\"type\":\"number\"} --description A",
            """
            {"operation":"add","kind":"shape","name":"Sensor","data":{"description":"A",\
            "fields":{"room":"string","x?":{"type":"number"}}}}\
            """,
            "add Sensor -d @" + file + " -f y=number",
            """
            {"operation":"add","kind":"shape","name":"Sensor","data":{"fields":{"room":"string",\
            "y":"number"}}}\
            """,
            "revise Sensor -f room=null",
            """
            {"operation":"revise","kind":"shape","name":"Sensor","patch":{"fields":{"room":null}}}\
            """,
            "revise Sensor -d {} --expected-version 2",
            """
            {"operation":"revise","kind":"shape","name":"Sensor","data":{},"expectedVersion":2}\
            """);
    cases.forEach(
        (arguments, operation) -> {
          assertEquals(0, cairn().run(("shape " + arguments).split(" ")).code(), arguments);
          assertEquals("{\"operations\":[" + operation + "]}", sent());
        });
    for (var wrong :
        new String[] {
          "add Sensor", "revise Sensor", "add Sensor -f room", "add Sensor -f =string"
        }) {
      assertEquals(2, cairn().run(("shape " + wrong).split(" ")).code(), wrong);
    }
    assertEquals(7, cairn().run("shape", "add", "S", "-f", "x={").code());
  }
}
