package dev.cairn.cli.subscription;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.cairn.cli.CommandTest;
import dev.cairn.cli.FakeTerminal;
import dev.cairn.cli.command.ExitCode;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RunCommandTest extends CommandTest {
  private static final String RUNS = "GET /api/repos/garden/greenhouse/actions/runs";

  private static String runs(int count) {
    return IntStream.range(0, count)
        .mapToObj(
            i ->
                """
                {"runId":"r%d","subscriptionName":"s","status":"dead_letter",\
                "executorKind":"webhook","attemptCount":7,"maxAttempts":7,\
                "createdAt":1795953600000,"updatedAt":1,"lastErrorCode":"HTTP_500",\
                "lastErrorMessage":"No.\\u001b[2J"}\
                """
                    .formatted(i))
        .collect(Collectors.joining(",", "[", "]"));
  }

  @Test
  void runs_are_a_table_without_characters_that_a_terminal_would_obey() {
    server.answer(RUNS + "?limit=200", 200, runs(1));
    var result = cairn().with("NO_COLOR", "1").on(FakeTerminal.of(120)).run("run", "list");
    assertEquals(
        """
        RUN  STATUS       SUBSCRIPTION  ATTEMPTS  CREATED   ERROR
        r0   dead_letter  s             7/7       just now  HTTP_500: No.\\u001b[2J
        """,
        result.out());
  }

  @Test
  void an_id_is_never_cut_since_it_is_typed_again() {
    var id = "01a229c7-1eec-7418-8734-0a64c1f40c3d";
    server.answer(RUNS + "?limit=200", 200, runs(1).replace("r0", id));
    var result = cairn().with("NO_COLOR", "1").on(FakeTerminal.of(80)).run("run", "list");
    result.out().lines().forEach(line -> assertTrue(line.length() <= 80, line));
    assertTrue(result.out().contains("\n" + id + "  "), result.out());
  }

  @ParameterizedTest
  @CsvSource({"100,100,false", "101,100,true"})
  void a_person_sees_100_and_a_note_says_if_there_are_more(int runs, int shown, boolean noted) {
    server.answer(RUNS + "?limit=200", 200, runs(runs));
    var result = cairn().on(FakeTerminal.of(80)).run("run", "list");
    assertEquals(1 + shown, result.out().lines().count());
    assertEquals(noted ? "There are more than 100; --limit 0 shows all.\n" : "", result.err());
  }

  @Test
  void a_program_gets_all_and_a_limit_is_kept() {
    server.answer(RUNS + "?limit=200", 200, runs(101));
    assertEquals(101, cairn().run("run", "list").out().lines().count());
    assertEquals(101, cairn().run("run", "list", "--limit", "0").out().lines().count());
    var one = cairn().run("run", "list", "--limit", "1");
    assertEquals(1, one.out().lines().count());
    assertEquals("There are more than 1; --limit 0 shows all.\n", one.err());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "run list --limit -1|--limit is a number of at least 0, not -1.",
        "run notifications --limit -1|--limit is a number of at least 0, not -1.",
        "run attempts|Give either <run>, or both --sub and --commit.",
        "run attempts --sub s|Give either <run>, or both --sub and --commit.",
        "run attempts r --sub s --commit c|Give either <run>, or both --sub and --commit."
      })
  void wrong_options_name_the_rule(String line, String sentence) {
    var result = cairn().run(line.split(" "));
    assertEquals(ExitCode.USAGE.code(), result.code());
    assertTrue(result.err().startsWith("cairn: " + sentence), result.err());
  }

  @Test
  void a_status_and_a_time_become_parameters() {
    server.answer(RUNS + "?status=running&since=1795946400000&limit=200", 200, "[]");
    var result = cairn().run("run", "list", "--status", "running", "--since", "2h", "--json");
    assertEquals("[\n]\n", result.out());
  }

  @Test
  void an_attempt_shows_how_long_it_took() {
    server.answer(
        RUNS + "/r1/attempts",
        200,
        """
        [{"attempt":1,"status":"failed","executorKind":"webhook","startedAt":1000,\
        "finishedAt":1250,"httpStatus":404,"errorCode":"HTTP_404","errorMessage":"Gone."}]\
        """);
    assertEquals(
        "1\tfailed\t1970-01-01T00:00:01Z\t250 ms\t404\tHTTP_404: Gone.\t\n",
        cairn().run("run", "attempts", "r1").out());
  }
}
