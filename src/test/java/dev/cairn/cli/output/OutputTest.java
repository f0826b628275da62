package dev.cairn.cli.output;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.cairn.cli.CliRun;
import dev.cairn.cli.FakeTerminal;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class OutputTest {
  record Row(String name, long version, Long at) {}

  private static final long FIVE_MINUTES_AGO =
      CliRun.NOW.minus(Duration.ofMinutes(5)).toEpochMilli();

  private static final Table<Row> TABLE =
      new Table<Row>()
          .text("NAME", Row::name)
          .number("VERSION", Row::version)
          .time("CHANGED", Row::at);

  private final CliRun run = CliRun.in(Path.of("/nowhere"));

  private Output output(Format format) {
    return new Output(run.context(), format, true, false);
  }

  private String list(Format format, Row... rows) {
    var output = output(format);
    output.list(TABLE, Stream.of(rows), "No rows.");
    output.flush();
    return run.written();
  }

  @Test
  void a_table_on_a_terminal_has_headers_and_relative_times() {
    run.on(FakeTerminal.of(80)).with("NO_COLOR", "1");
    assertEquals(
        """
        NAME            VERSION  CHANGED
        Country/DE            3  5 min ago
        Currency/EUR-x       12
        """,
        list(
            Format.TEXT,
            new Row("Country/DE", 3, FIVE_MINUTES_AGO),
            new Row("Currency/EUR-x", 12, null)));
  }

  @Test
  void a_column_without_any_value_is_not_shown_to_people() {
    run.on(FakeTerminal.of(80)).with("NO_COLOR", "1");
    assertEquals("NAME  VERSION\na           1\n", list(Format.TEXT, new Row("a", 1, null)));
  }

  @Test
  void a_note_that_comes_with_the_last_row_follows_the_table() {
    var screen = new ByteArrayOutputStream();
    var context =
        new ProcessContext(
            null,
            screen,
            screen,
            Map.of("NO_COLOR", "1"),
            FakeTerminal.of(80),
            InstantSource.system(),
            ZoneOffset.UTC);
    var output = new Output(context, Format.TEXT, true, false);
    output.list(
        new Table<String>().text("NAME", name -> name),
        Stream.of("a", "b").peek(name -> output.note("after " + name)),
        "");
    assertEquals("NAME\na\nb\nafter a\nafter b\n", screen.toString(StandardCharsets.UTF_8));
  }

  @Test
  void a_table_in_a_pipe_has_tabs_and_full_values_and_no_header() {
    assertEquals(
        "a/very/long/name\t3\t2026-11-29T11:55:00Z\n",
        list(Format.TEXT, new Row("a/very/long/name", 3, FIVE_MINUTES_AGO)));
  }

  @ParameterizedTest
  @ValueSource(ints = {20, 40, 80, 200})
  void no_row_is_wider_than_the_terminal(int columns) {
    run.on(FakeTerminal.of(columns)).with("NO_COLOR", "1");
    var output = output(Format.TEXT);
    output.list(
        new Table<String>().text("ONE", text -> text).text("OTHER", text -> text),
        Stream.of("x".repeat(300), "東京".repeat(80)),
        "");
    run.written().lines().forEach(line -> assertTrue(ColumnWidth.of(line) <= columns, line));
  }

  @Test
  void rows_after_those_that_were_measured_are_cut_to_their_widths() {
    run.on(FakeTerminal.of(80)).with("NO_COLOR", "1");
    var names =
        IntStream.range(0, TableLayout.MEASURED_ROWS + 1)
            .mapToObj(i -> i < TableLayout.MEASURED_ROWS ? "short" : "much longer");
    output(Format.TEXT)
        .list(new Table<String>().text("NAME", name -> name).text("X", name -> "x"), names, "");
    assertEquals("much…  x", run.written().lines().toList().getLast());
  }

  @Test
  void an_empty_list_is_a_message_for_people_and_nothing_for_programs() {
    assertEquals("", list(Format.TEXT));
    run.on(FakeTerminal.of(80));
    assertEquals("", list(Format.TEXT));
    assertEquals("No rows.\n", run.complained());
  }

  @Test
  void a_list_as_json_is_one_document_with_items() throws Exception {
    var json = list(Format.JSON, new Row("a", 1, null), new Row("b", 2, 5L));
    assertEquals(
        "{\"items\":[{\"name\":\"a\",\"version\":1},{\"name\":\"b\",\"version\":2,\"at\":5}]}",
        new JsonMapper().readTree(json).toString());
    assertTrue(json.endsWith("]}\n"), json);
  }

  @Test
  void a_list_as_json_lines_has_an_item_a_line() {
    assertEquals(
        "{\"name\":\"a\",\"version\":1}\n{\"name\":\"b\",\"version\":2}\n",
        list(Format.JSON_LINES, new Row("a", 1, null), new Row("b", 2, null)));
  }

  @ParameterizedTest
  @CsvSource({
    "'\u001b[2J', '\\u001b[2J'",
    "'a\nb', 'a\\nb'",
    "'a\tb', 'a\\tb'",
    "'\u009b1m', '\\u009b1m'",
    "'\u202eevil', '\\u202eevil'",
    "'plain ünïcode 東京', 'plain ünïcode 東京'"
  })
  void what_a_terminal_would_obey_is_made_visible(String hostile, String shown) {
    for (var terminal : List.of(FakeTerminal.NONE, FakeTerminal.of(80))) {
      var one = CliRun.in(Path.of("/nowhere")).on(terminal).with("NO_COLOR", "1");
      var output = new Output(one.context(), Format.TEXT, true, false);
      output.list(new Table<String>().text("NAME", text -> text), Stream.of(hostile), "");
      output.details("", new Details().add("Name", hostile));
      output.line(hostile);
      output.note(hostile);
      output.error(hostile, List.of(hostile), List.of(hostile));
      output.flush();
      var all = one.written() + one.complained();
      assertEquals(8, all.split(Pattern.quote(shown), -1).length, all);
    }
  }

  @Test
  void json_keeps_its_values_when_dangerous_characters_are_escaped() throws Exception {
    var hostile = "\u001b[2J\u009b1m\u202e\u2028 \n ok";
    for (var format : List.of(Format.JSON, Format.JSON_LINES)) {
      var one = CliRun.in(Path.of("/nowhere"));
      var output = new Output(one.context(), format, true, false);
      output.document(Map.of("text", hostile));
      output.flush();
      var text = one.written();
      assertTrue(text.chars().allMatch(c -> c == '\n' || !Escapes.isDangerous((char) c)), text);
      assertEquals(hostile, new JsonMapper().readTree(text).get("text").textValue());
    }
  }

  @ParameterizedTest
  @CsvSource({"true,,,true", "true,1,,false", "true,,dumb,false", "false,,,false"})
  void colours_are_only_on_a_terminal_and_not_if_they_are_not_wanted(
      boolean terminal, String noColor, String term, boolean colored) {
    run.on(terminal ? FakeTerminal.of(80) : FakeTerminal.NONE);
    if (noColor != null) {
      run.with("NO_COLOR", noColor);
    }
    if (term != null) {
      run.with("TERM", term);
    }
    output(Format.TEXT).line("name", Style.BOLD);
    var other = new Output(run.context(), Format.TEXT, false, false);
    other.line("plain", Style.BOLD);
    var output = output(Format.TEXT);
    output.line("name", Style.BOLD);
    output.flush();
    assertEquals(colored, run.written().contains("\u001b[1mname\u001b[0m"));
    assertFalse(run.written().contains("\u001b[1mplain"));
  }

  @Test
  void quiet_leaves_out_notes_and_keeps_warnings_and_errors() {
    var output = new Output(run.context(), Format.TEXT, true, true);
    output.note("note");
    output.warn("careful");
    output.error("wrong", List.of("/name: too long"), List.of("cairn help"));
    assertEquals(
        "warning: careful\ncairn: wrong\n  /name: too long\nTry: cairn help\n", run.complained());
  }

  @Test
  void a_reader_that_has_ended_is_told_from_a_full_disk() {
    assertTrue(failure("Broken pipe").isBrokenPipe());
    assertFalse(failure("No space left on device").isBrokenPipe());
  }

  private static OutputFailure failure(String message) {
    var broken =
        new OutputStream() {
          @Override
          public void write(int b) throws IOException {
            throw new IOException(message);
          }
        };
    var context =
        new ProcessContext(
            null,
            broken,
            broken,
            Map.of(),
            FakeTerminal.NONE,
            InstantSource.system(),
            ZoneOffset.UTC);
    var output = new Output(context, Format.TEXT, true, false);
    output.line("x");
    return assertThrows(OutputFailure.class, output::flush);
  }

  @ParameterizedTest
  @CsvSource({
    "PT0S, just now",
    "PT4S, just now",
    "PT5S, 5 s ago",
    "PT59S, 59 s ago",
    "PT60S, 1 min ago",
    "PT3599S, 59 min ago",
    "PT1H, 1 h ago",
    "PT24H, 1 day ago",
    "PT743H, 30 days ago",
    "PT744H, 2026-10-29",
    "PT-2H, in 2 h"
  })
  void times_are_relative_for_a_month(Duration ago, String shown) {
    assertEquals(shown, Times.relative(CliRun.NOW.minus(ago), CliRun.NOW, ZoneOffset.UTC));
  }

  @Test
  void details_stand_in_one_column_and_leave_out_what_is_missing() {
    run.on(FakeTerminal.of(80)).with("NO_COLOR", "1");
    output(Format.TEXT)
        .details(
            Map.of(),
            new Details().add("Id", 7).add("None", null).time("Created at", FIVE_MINUTES_AGO));
    assertEquals(
        "Id          7\nCreated at  2026-11-29 11:55:00 +00:00 (5 min ago)\n", run.written());
  }

  private ProgressLine bar(long total) {
    var err = new LineWriter(run.context().err(), true, false);
    return new ProgressLine("Importing", total, "rows", err, run.context().terminal(), () -> {});
  }

  @Test
  void a_message_stands_above_the_bar_which_is_drawn_again() throws InterruptedException {
    run.on(FakeTerminal.of(80)).with("NO_COLOR", "1");
    var output = output(Format.TEXT);
    try (var progress = output.progress("Importing", 10, "rows")) {
      progress.to(5);
      for (int i = 0; i < 500 && !run.complained().contains("Importing"); i++) {
        Thread.sleep(10);
      }
      output.note("A note.");
      output.warn("A warning.");
    }
    output.note("The end.");
    var shown = run.complained();
    assertTrue(shown.contains("\r\u001b[KA note.\n\rImporting "), shown);
    assertTrue(shown.contains("\r\u001b[Kwarning: A warning.\n\rImporting "), shown);
    assertTrue(shown.endsWith("\u001b[K\nThe end.\n"), shown);
  }

  @Test
  void progress_is_only_shown_on_a_terminal() {
    try (var progress = output(Format.TEXT).progress("Importing", 10, "operations")) {
      progress.to(5);
    }
    assertEquals("", run.complained());
    run.on(FakeTerminal.of(60));
    try (var progress = output(Format.TEXT).progress("Importing", 10, "operations")) {
      progress.to(10);
    }
    var shown = run.complained();
    assertTrue(shown.contains("Importing") && shown.contains("100%"), shown);
    assertTrue(shown.endsWith("\n"), shown);
  }

  @ParameterizedTest
  @CsvSource({
    "100, 50, PT10S, 79, 'Importing  50%  [##############...............]  50 of 100 rows  5/s "
        + " 0:10 left'",
    "100, 50, PT10S, 50, 'Importing  50%  50 of 100 rows  5/s  0:10 left'",
    "100, 50, PT10S, 20, 'Importing  50%  50 …'",
    "100, 0, PT0S, 79, 'Importing   0%  [........................................]  0 of 100 rows'",
    "100, 100, PT61S, 50, 'Importing 100%  100 of 100 rows  2/s  1:01'",
    "-1, 1234567, PT1S, 79, 'Importing  1,234,567 rows  1,234,567/s  0:01'"
  })
  void progress_has_the_rate_and_the_time_left(
      long total, long done, Duration elapsed, int columns, String shown) {
    run.on(FakeTerminal.of(80));
    try (var line = bar(total)) {
      assertEquals(shown, line.render("Importing", total, done, elapsed, columns));
    }
  }

  @ParameterizedTest
  @CsvSource({
    "0, 0 B",
    "999, 999 B",
    "1000, 1.0 kB",
    "1500000, 1.5 MB",
    "2000000000000000, 2000.0 TB"
  })
  void bytes_are_shown_in_the_largest_unit(long count, String shown) {
    assertEquals(shown, Sizes.bytes(count));
  }
}
