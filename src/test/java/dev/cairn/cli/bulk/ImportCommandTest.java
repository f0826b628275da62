package dev.cairn.cli.bulk;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.cairn.cli.CliRun;
import dev.cairn.cli.FakeServer;
import dev.cairn.cli.FakeTerminal;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ImportCommandTest {
  private static final String REPOSITORY = "/api/repos/o/r";
  private static final String SHAPE = "GET " + REPOSITORY + "/shapes/City";
  private static final String BATCH = "POST " + REPOSITORY + "/things/batch";
  private static final String COMMIT = "POST " + REPOSITORY + "/commits?return=summary";
  private static final String STREAM = "POST " + REPOSITORY + "/streams/import/submissions";
  private static final String ATOMIC = STREAM + "?atomic=true";
  private static final String SUMMARY =
      """
      {"summary":{"streamId":"s","submissionId":"i","operationCount":1,"applied":1,"noop":0,
      "errors":0,"partial":false}}\
      """
              .replace("\n", "")
          + "\n";
  private static final String NO_SHAPE = "There is no shape `City`.";

  @TempDir Path home;

  private final FakeServer server = FakeServer.start();

  @BeforeEach
  void begin() {
    signedInAs("g@example.org");
  }

  private void signedInAs(String email) {
    server.answer(
        "GET /api/whoami",
        200,
        """
        {"authenticated":true,"kind":"jwt","account":{"email":"%s","displayName":"G"},"orgs":[]}\
        """
            .formatted(email));
  }

  @AfterEach
  void end() {
    server.close();
  }

  private CliRun cairn() {
    return CliRun.in(home)
        .with("CAIRN_SERVER", server.url())
        .with("CAIRN_TOKEN", "t")
        .with("CAIRN_REPO", "o/r");
  }

  private String file(String name, String content) throws IOException {
    return Files.writeString(home.resolve(name), content.replace('\'', '"')).toString();
  }

  private static String[] command(String file, String... more) {
    List<String> command = new ArrayList<>(List.of("import", file, "--no-stream"));
    command.addAll(Arrays.asList(more));
    return command.toArray(String[]::new);
  }

  private static String effects(int add, int revise, int noop, int error, String operations) {
    return """
    {"operationCount":%d,"effects":{"add":%d,"revise":%d,"rename":0,"noop":%d,"error":%d},
     "operations":[%s]}\
    """
        .formatted(add + revise + noop + error, add, revise, noop, error, operations);
  }

  private static String thing(String name, String data) {
    return """
    {"wref":"City/%s","name":"%s","shapeName":"City","kind":"thing","version":1,"data":%s,
     "active":true,"canonicalWref":"cairn:o/r/City/%s","shapeVersion":1,"dataHash":"x",
     "createdAt":1,"updatedAt":1,"author":"a"}\
    """
        .formatted(name, name, data, name);
  }

  private void hasShape(String fields) {
    server.answer(
        SHAPE,
        200,
        thing("City", "{\"fields\":" + fields + "}").replace("City/City", "Shape/City"));
  }

  private List<String> bodies(String route) {
    return server.requests().stream()
        .filter(request -> request.route().equals(route))
        .map(FakeServer.Request::body)
        .toList();
  }

  private void assertNothingWasSent() {
    assertEquals(
        List.of("GET /api/whoami"),
        server.requests().stream().map(FakeServer.Request::route).toList());
  }

  @Test
  void rows_are_looked_up_together_and_only_what_differs_is_sent() throws IOException {
    hasShape("{\"id\":\"number\",\"v?\":\"string\"}");
    server.answer(
        BATCH,
        200,
        "{\"items\":[%s,%s],\"missing\":[\"City/3\"]}"
            .formatted(thing("1", "{\"id\":1}"), thing("2", "{\"id\":2}")));
    server.answer(COMMIT, 200, effects(1, 1, 0, 0, ""));
    var file = file("a.csv", "id,v\n1,\n2,x\n3,\n");
    var result =
        cairn().run(command(file, "--shape", "City", "--key", "id", "--json", "-m", "Cities"));
    assertEquals(0, result.code(), result.err());
    assertEquals(List.of("{\"wrefs\":[\"City/1\",\"City/2\",\"City/3\"]}"), bodies(BATCH));
    assertEquals(
        List.of(
            "{\"atomic\":false,\"message\":\"Cities\",\"operations\":["
                + "{\"operation\":\"revise\",\"name\":\"City/2\",\"data\":{\"id\":2,\"v\":\"x\"}},"
                + "{\"operation\":\"add\",\"kind\":\"thing\",\"name\":\"City/3\",\"data\":{\"id\":3}}]}"),
        bodies(COMMIT));
    assertEquals(
        "{\"dryRun\":false,\"added\":1,\"revised\":1,\"renamed\":0,\"unchanged\":1,\"failed\":0}",
        result.out().replaceAll("\\s", ""));
  }

  @Test
  void a_dry_run_sends_no_commit() throws IOException {
    hasShape("{\"id\":\"number\"}");
    server.answer(BATCH, 200, "{\"items\":[],\"missing\":[\"City/1\"]}");
    var result =
        cairn()
            .run(
                command(
                    file("a.ndjson", "{'id':1}\n"), "--shape", "City", "--key", "id", "--dry-run"));
    assertEquals(0, result.code(), result.err());
    assertTrue(result.out().startsWith("Added\t1\n"), result.out());
    assertEquals(2, server.requests().size());
  }

  @Test
  void lines_that_fail_are_named_and_the_process_ends_with_7() throws IOException {
    server.answer(
        COMMIT,
        200,
        effects(
            1,
            0,
            0,
            1,
            "{\"opIndex\":1,\"status\":\"error\",\"operation\":\"add\",\"error\":"
                + "{\"code\":\"ALREADY_EXISTS\",\"detail\":\"`S/b` exists.\"}}"));
    var file =
        file(
            "a.ndjson",
            """

            {'operation':'add','name':'S/a','data':{}}
            x
            {'operation':'add','name':'S/b','data':{}}
            """);
    var result = cairn().run(command(file));
    assertEquals(7, result.code());
    assertTrue(result.err().contains("a.ndjson:3: This is not JSON: "), result.err());
    assertTrue(result.err().contains("a.ndjson:4: `S/b` exists. (ALREADY_EXISTS)\n"), result.err());
    assertTrue(result.err().contains("cairn: 2 items failed; the others were imported."));
    assertTrue(result.out().contains("Added\t1\n"), result.out());
    assertTrue(result.out().contains("Failed\t2\n"), result.out());
  }

  @Test
  void more_failed_lines_than_are_allowed_stop_it() throws IOException {
    var file = file("a.ndjson", "{x\n".repeat(3));
    var result = cairn().run(command(file, "--max-errors", "2", "--as", "operations"));
    assertEquals(7, result.code());
    assertTrue(result.err().contains("so the import stopped (--max-errors)"), result.err());
    assertEquals(7, cairn().run(command(file, "--max-errors", "3", "--as", "operations")).code());
  }

  @Test
  void an_inferred_shape_is_shown_and_added_after_the_answer_yes() throws IOException {
    server.problem(SHAPE, 404, "NOT_FOUND", NO_SHAPE);
    server.answer(COMMIT, 200, effects(1, 0, 0, 0, ""));
    server.answer(BATCH, 200, "{\"items\":[],\"missing\":[\"City/1\"]}");
    var file = file("a.csv", "id,name\n1,x\n");
    var options = command(file, "--shape", "City", "--key", "id", "--infer");
    var no = cairn().on(FakeTerminal.of(80)).input("n\n").run(options);
    assertEquals(1, no.code(), no.err());
    assertTrue(no.err().contains("\"name\" : \"string\""), no.err());
    assertTrue(no.err().contains("Add this shape and import into o/r? [y/N]"), no.err());
    assertEquals(List.of(), bodies(COMMIT));

    var yes = cairn().on(FakeTerminal.of(80)).input("y\n").run(options);
    assertEquals(0, yes.code(), yes.err());
    assertEquals(2, bodies(COMMIT).size());
    assertTrue(
        bodies(COMMIT)
            .getFirst()
            .contains(
                "\"data\":{\"fields\":{\"id\":{\"type\":\"number\",\"integer\":true},"
                    + "\"name\":\"string\"}}"),
        bodies(COMMIT).getFirst());
  }

  @Test
  void without_a_terminal_an_inferred_shape_needs_yes() throws IOException {
    server.problem(SHAPE, 404, "NOT_FOUND", NO_SHAPE);
    var file = file("a.csv", "id\n1\n");
    var result = cairn().run(command(file, "--shape", "City", "--key", "id", "--infer"));
    assertEquals(2, result.code());
    assertTrue(result.err().contains("--yes is needed"), result.err());
  }

  @Test
  void a_shape_that_does_not_exist_says_so() throws IOException {
    server.problem(SHAPE, 404, "NOT_FOUND", NO_SHAPE);
    var result = cairn().run(command(file("a.csv", "id\n1\n"), "--shape", "City", "--key", "id"));
    assertEquals(5, result.code());
    assertTrue(
        result.err().startsWith("cairn: There is no shape City. Add it, or use --infer.\n"),
        result.err());
  }

  @Test
  void an_atomic_import_with_a_faulty_line_sends_nothing() throws IOException {
    var file = file("a.ndjson", "{'operation':'add','name':'S/a','data':{}}\nx\n");
    var result = cairn().run(command(file, "--atomic"));
    assertEquals(7, result.code());
    assertTrue(result.err().contains("a.ndjson:2: "), result.err());
    assertTrue(result.err().contains("so nothing was imported"), result.err());
    assertNothingWasSent();
  }

  @Test
  void an_atomic_import_names_the_line_of_each_error_of_the_commit() throws IOException {
    server.answer(
        COMMIT,
        400,
        """
        {"status":400,"code":"SHAPE_MISMATCH","detail":"Two.","errors":[
         {"pointer":"/operations/1/data/a","detail":"Expected a number."}]}\
        """);
    var operation = "{'operation':'add','name':'S/a','data':{}}\n";
    var result = cairn().run(command(file("a.ndjson", operation + "\n" + operation), "--atomic"));
    assertEquals(7, result.code());
    assertTrue(
        result.err().contains("a.ndjson:3: Expected a number. (SHAPE_MISMATCH)"), result.err());
  }

  @ParameterizedTest
  @CsvSource({"UNAVAILABLE,8", "FORBIDDEN,4", "CONFLICT,6", "VALIDATION_ERROR,7"})
  void an_atomic_stream_that_ends_early_has_the_exit_code_of_its_error(String code, int exitCode)
      throws IOException {
    server.answer(STREAM, 200, SUMMARY);
    server.answer(
        ATOMIC, 200, "{\"error\":{\"code\":\"" + code + "\",\"detail\":\"No.\"}}\n" + SUMMARY);
    var file = file("a.ndjson", "{'operation':'add','name':'S/a','data':{}}\n");
    var result = cairn().run("import", file, "--atomic");
    assertEquals(exitCode, result.code(), result.err());
    assertTrue(result.err().contains("Nothing was imported: No."), result.err());
    assertEquals(code.equals("UNAVAILABLE") ? 1 : 0, states());
  }

  @Test
  void an_atomic_import_of_a_truncated_gzip_names_the_file() throws IOException {
    server.answer(STREAM, 200, SUMMARY);
    var bytes = new ByteArrayOutputStream();
    try (var gzip = new GZIPOutputStream(bytes)) {
      for (int i = 0; i < 10_000; i++) {
        gzip.write(
            "{\"operation\":\"add\",\"name\":\"S/%d\",\"data\":{}}\n".formatted(i).getBytes(UTF_8));
      }
    }
    var file = home.resolve("a.ndjson.gz");
    Files.write(file, Arrays.copyOf(bytes.toByteArray(), bytes.size() - 100));
    var result = cairn().run("import", file.toString(), "--atomic");
    assertEquals(1, result.code(), result.err());
    assertTrue(result.err().contains("a.ndjson.gz cannot be read: "), result.err());
  }

  @Test
  void an_atomic_import_whose_answer_was_lost_is_sent_again_as_it_was() throws IOException {
    hasShape("{\"id\":\"number\"}");
    server.answer(BATCH, 200, "{\"items\":[],\"missing\":[\"City/1\"]}");
    server.answer(
        BATCH, 200, "{\"items\":[%s],\"missing\":[]}".formatted(thing("1", "{\"id\":1}")));
    server.problem(COMMIT, 500, "INTERNAL_ERROR", "A fault.");
    server.answer(COMMIT, 200, effects(1, 0, 0, 0, ""));
    var command = command(file("a.csv", "id\n1\n"), "--shape", "City", "--key", "id", "--atomic");
    assertEquals(1, cairn().run(command).code());
    assertEquals(1, states());
    var result = cairn().run(command);
    assertEquals(0, result.code(), result.err());
    assertTrue(result.out().startsWith("Added\t1\n"), result.out());
    var sent = server.requests().stream().filter(r -> r.route().equals(COMMIT)).toList();
    assertEquals(2, sent.size());
    assertEquals(sent.get(0), sent.get(1));
    assertNotNull(sent.get(0).key());
    assertEquals(0, states());
  }

  @Test
  void an_inferred_shape_is_sent_again_with_its_rows_if_the_answer_was_lost() throws IOException {
    server.problem(SHAPE, 404, "NOT_FOUND", NO_SHAPE);
    hasShape("{\"id\":\"number\"}");
    server.answer(BATCH, 200, "{\"items\":[],\"missing\":[\"City/1\"]}");
    server.problem(COMMIT, 500, "INTERNAL_ERROR", "A fault.");
    server.answer(COMMIT, 200, effects(2, 0, 0, 0, ""));
    var command =
        command(
            file("a.csv", "id\n1\n"),
            "--shape",
            "City",
            "--key",
            "id",
            "--infer",
            "--yes",
            "--atomic");
    assertEquals(1, cairn().run(command).code());
    var result = cairn().run(command);
    assertEquals(0, result.code(), result.err());
    var sent = server.requests().stream().filter(r -> r.route().equals(COMMIT)).toList();
    assertEquals(2, sent.size());
    assertTrue(sent.get(0).body().contains("\"fields\""), sent.get(0).body());
    assertEquals(sent.get(0), sent.get(1));
  }

  @Test
  void an_atomic_stream_that_was_applied_before_has_the_same_counts_again() throws IOException {
    server.answer(STREAM, 200, SUMMARY);
    server.answer(ATOMIC, 200, "{\"line\":1,\"opIndex\":0,\"status\":\"replayed\"}\n" + SUMMARY);
    var file = file("a.ndjson", "{'operation':'add','name':'S/a','data':{}}\n");
    var result = cairn().run("import", file, "--atomic");
    assertEquals(0, result.code(), result.err());
    assertTrue(result.out().startsWith("Added\t1\n"), result.out());
    assertNotNull(server.requests().getLast().key());
  }

  @Test
  void an_atomic_import_beyond_one_commit_needs_streams() throws IOException {
    var operation = "{'operation':'add','name':'S/a','data':{}}\n";
    var result = cairn().run(command(file("a.ndjson", operation.repeat(10_001)), "--atomic"));
    assertEquals(7, result.code());
    assertTrue(result.err().contains("the repository has no streams"), result.err());
    assertNothingWasSent();
  }

  @Test
  void a_refused_commit_leaves_no_state_and_its_own_exit_code() throws IOException {
    server.problem(COMMIT, 403, "FORBIDDEN", "You may not write.");
    var file = file("a.ndjson", "{'operation':'add','name':'S/a','data':{}}\n");
    var result = cairn().run(command(file));
    assertEquals(4, result.code());
    assertTrue(result.err().startsWith("cairn: You may not write."), result.err());
    assertEquals(0, states());
  }

  private long states() throws IOException {
    try (var states = Files.list(home.resolve(".config/cairn/imports"))) {
      return states.filter(path -> path.toString().endsWith(".json")).count();
    }
  }

  @Test
  void a_refused_second_segment_leaves_the_state_and_the_same_command_goes_on() throws IOException {
    server.answer(COMMIT, 200, effects(10_000, 0, 0, 0, ""));
    server.problem(COMMIT, 403, "FORBIDDEN", "You may not write.");
    server.answer(COMMIT, 200, effects(1, 0, 0, 0, ""));
    var file = twoSegments();
    assertEquals(4, cairn().run(command(file)).code());
    assertEquals(1, states());
    var result = cairn().run(command(file));
    assertEquals(0, result.code(), result.err());
    assertTrue(result.out().contains("Added\t10001\n"), result.out());
    var sent = bodies(COMMIT);
    assertEquals(3, sent.size());
    assertEquals(sent.get(1), sent.get(2));
    assertEquals(0, states());
  }

  private String twoSegments() throws IOException {
    var operation = "{'operation':'add','name':'S/a','data':{}}\n";
    return file("a.ndjson", operation.repeat(10_000) + operation.replace("S/a", "S/b"));
  }

  /** The service knows an idempotency key only of the account that has sent it. */
  @Test
  void another_account_does_not_go_on_with_the_import() throws IOException {
    signedInAs("h@example.org"); // from the second command on
    server.answer(COMMIT, 200, effects(10_000, 0, 0, 0, ""));
    server.problem(COMMIT, 403, "FORBIDDEN", "You may not write.");
    server.answer(COMMIT, 200, effects(10_000, 0, 0, 0, ""));
    server.answer(COMMIT, 200, effects(1, 0, 0, 0, ""));
    var file = twoSegments();
    assertEquals(4, cairn().run(command(file)).code());
    assertEquals(0, cairn().run(command(file)).code());
    var sent = bodies(COMMIT);
    assertEquals(4, sent.size());
    assertEquals(sent.get(0), sent.get(2));
    assertEquals(1, states());
  }

  @Test
  void a_refused_second_half_of_a_commit_leaves_the_state() throws IOException {
    server.problem(COMMIT, 413, "PAYLOAD_TOO_LARGE", "It is too large.");
    server.answer(COMMIT, 200, effects(1, 0, 0, 0, ""));
    server.problem(COMMIT, 403, "FORBIDDEN", "You may not write.");
    var operation = "{'operation':'add','name':'S/a','data':{}}\n";
    assertEquals(4, cairn().run(command(file("a.ndjson", operation.repeat(2)))).code());
    assertEquals(1, states());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '!',
      value = {
        "rows.csv! --shape City! so --shape and --key are needed",
        "rows.csv! --key id! so --shape and --key are needed",
        "rows.csv! --shape City --key {id! is not a template",
        "rows.csv! --shape 1x --key id! cannot be the name of a shape",
        "rows.csv! --as cats! --as must be operations, export or rows",
        "rows.csv! --max-errors -1! --max-errors must be 0 or more",
        "operations.ndjson! --shape City! are for rows, and these are operations",
        "-! --shape City --key id --infer! which the standard input does not allow",
        "- rows.csv! --shape City --key id! together with files"
      })
  void a_wrong_combination_of_options_says_what_is_expected(
      String files, String options, String sentence) throws IOException {
    file("rows.csv", "id\n1\n");
    file("operations.ndjson", "{'operation':'add','name':'S/a','data':{}}\n");
    hasShape("{}");
    List<String> command = new ArrayList<>(List.of("import", "--no-stream"));
    for (var file : files.split(" ", -1)) {
      command.add(file.equals("-") ? file : home.resolve(file).toString());
    }
    command.addAll(List.of(options.split(" ", -1)));
    var result = cairn().run(command.toArray(String[]::new));
    assertEquals(2, result.code(), result.err());
    assertTrue(result.err().contains(sentence), result.err());
    assertEquals("", result.out());
  }

  @Test
  void a_file_that_is_not_there_says_so() {
    var result = cairn().run("import", home.resolve("none.csv").toString());
    assertEquals(1, result.code());
    assertTrue(result.err().startsWith("cairn: There is no file "), result.err());
  }

  @Test
  void the_standard_input_is_imported_too() throws IOException {
    server.answer(COMMIT, 200, effects(1, 0, 0, 0, ""));
    var operation = "{\"operation\":\"add\",\"name\":\"S/a\",\"data\":{}}\n";
    var result = cairn().input(operation).run("import", "-", "--no-stream");
    assertEquals(0, result.code(), result.err());
    assertTrue(bodies(COMMIT).getFirst().contains(operation.strip()));
  }
}
