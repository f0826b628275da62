package dev.cairn.cli.bulk;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import dev.cairn.client.LiveMessage;
import dev.cairn.client.OperationResult;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ImporterTest {
  private static final int ROWS = 57;
  private static final CellTypes ANY = new CellTypes(Json.MAPPER.createObjectNode());

  @TempDir Path directory;

  private final Service service = new Service();
  private final List<LineFault> faults = new ArrayList<>();

  /** Whoever is killed runs no more code, so nothing may catch it. */
  private static final class Killed extends Error {
    private static final long serialVersionUID = 1L;
  }

  /** A repository that keeps the answers of idempotency keys, as the service does. */
  private static final class Service implements Sender, Lookups {
    private final Map<String, JsonNode> entities = new LinkedHashMap<>();
    private final Map<String, Outcome> answers = new HashMap<>();
    private final Map<String, String> bodies = new HashMap<>();
    private int writes;
    private int killBefore = -1;
    private int killAfter = -1;
    private int busy;
    private int busyLookups;
    private int sent;

    @Override
    public Outcome send(Batch batch, String key) throws SendFailure {
      sent++;
      if (sent == killBefore) {
        throw new Killed();
      }
      if (busy > 0) {
        busy--;
        throw SendFailure.of(
            new OperationResult.Failure("UNAVAILABLE", "The replica is stopping.", null, null));
      }
      var body = new String(batch.lines(), UTF_8);
      assertEquals(bodies.computeIfAbsent(key, _ -> body), body, "the same key, other bytes");
      var answer = answers.computeIfAbsent(key, _ -> apply(batch));
      if (sent == killAfter) {
        throw new Killed();
      }
      return answer;
    }

    private Outcome apply(Batch batch) {
      var tally = Tally.NONE;
      List<LineFault> faults = new ArrayList<>();
      var lines = new String(batch.lines(), UTF_8).lines().toList();
      for (int i = 0; i < lines.size(); i++) {
        var operation = parse(lines.get(i));
        var name = operation.path("name").asText();
        boolean isAdd = operation.path("operation").asText().equals("add");
        if (isAdd == entities.containsKey(name)) {
          tally = tally.plus(Tally.failed(1));
          faults.add(batch.fault(i, isAdd ? "ALREADY_EXISTS" : "NOT_FOUND", name));
        } else {
          var before = entities.put(name, operation.path("data"));
          boolean isNoop = operation.path("data").equals(before);
          writes += isNoop ? 0 : 1;
          tally = tally.plus(Tally.of(isNoop ? "noop" : isAdd ? "add" : "revise", 1));
        }
      }
      return new Outcome(tally, faults);
    }

    private static JsonNode parse(String text) {
      try {
        return Json.MAPPER.readTree(text);
      } catch (JsonProcessingException e) {
        throw new AssertionError(e);
      }
    }

    @Override
    public Map<String, Found> find(List<String> wrefs) {
      if (busyLookups > 0) {
        busyLookups--;
        throw new LiveMessage.Failed(
                null, null, "t", 503, "The replica is stopping.", "UNAVAILABLE", null, null, null)
            .exception();
      }
      Map<String, Found> found = new HashMap<>();
      for (var wref : wrefs) {
        if (entities.containsKey(wref)) {
          found.put(wref, new Found(entities.get(wref), true));
        }
      }
      return found;
    }

    @Override
    public int maxOperations() {
      return 10;
    }

    @Override
    public int maxBytes() {
      return 100_000;
    }
  }

  private final class Told implements Importer.Listener {
    private final List<String> waits = new ArrayList<>();

    @Override
    public void progress(long position) {}

    @Override
    public void failed(LineFault fault) {
      faults.add(fault);
    }

    @Override
    public void waiting(String reason, Duration wait) {
      waits.add(reason);
    }
  }

  private Path rows(int count) throws IOException {
    var text = new StringBuilder();
    for (int i = 0; i < count; i++) {
      text.append("{\"id\":").append(i).append(",\"v\":\"x\"}\n");
    }
    return Files.writeString(directory.resolve("rows.ndjson"), text);
  }

  private Tally run(Path file, long maxErrors, Told told) throws Exception {
    var source = Source.of(List.of(file), null, InputStream.nullInputStream());
    Mapping mapping =
        source.format().content() == InputFormat.Content.ROWS
            ? new RowMapping("S", KeyTemplate.parse("id"), null, ANY, false)
            : new OperationMapping(OperationMapping.Sent.IN_COMMITS);
    try (var states = StateFile.open(directory.resolve("states"), source.identity());
        var input = source.open(new AtomicLong())) {
      var state =
          states.read().orElseGet(() -> ImportState.begin("run" + System.nanoTime(), false));
      input.skip(state.items());
      var reader = new SegmentReader(input, mapping, service.maxOperations(), service.maxBytes());
      var importer =
          new Importer(reader, () -> 0, new Planner(service), service, states, state, told);
      var tally = importer.run(maxErrors);
      states.delete();
      return tally;
    }
  }

  private Tally run(Path file) throws Exception {
    return run(file, 1000, new Told());
  }

  @Test
  void rows_are_added_revised_if_they_differ_and_otherwise_unchanged() throws Exception {
    var file = rows(ROWS);
    service.entities.put("S/3", Service.parse("{\"id\":3,\"v\":\"x\"}"));
    service.entities.put("S/30", Service.parse("{\"id\":30,\"v\":\"old\"}"));
    assertEquals(new Tally(ROWS - 2, 1, 0, 1, 0), run(file));
    assertEquals(ROWS, service.entities.size());
    assertEquals(new Tally(0, 0, 0, ROWS, 0), run(file));
    assertEquals(ROWS - 1, service.writes);
  }

  @Test
  void killed_before_or_after_any_segment_is_applied_it_goes_on_with_the_right_counts()
      throws Exception {
    for (int segment = 1; segment <= 6; segment++) {
      for (boolean isApplied : List.of(false, true)) {
        var fresh = new ImporterTest();
        fresh.directory = Files.createDirectory(directory.resolve(segment + "-" + isApplied));
        fresh.killedAt(segment, isApplied);
      }
    }
  }

  private void killedAt(int segment, boolean isApplied) throws Exception {
    var file = rows(ROWS);
    service.killBefore = isApplied ? -1 : segment;
    service.killAfter = isApplied ? segment : -1;
    assertThrows(Killed.class, () -> run(file));
    assertEquals(Math.min(ROWS, 10 * (isApplied ? segment : segment - 1)), service.writes);
    assertEquals(new Tally(ROWS, 0, 0, 0, 0), run(file));
    assertEquals(ROWS, service.writes);
    assertEquals(List.of(), faults);
  }

  @Test
  void operations_that_were_applied_before_a_kill_are_not_applied_again() throws Exception {
    var text = new StringBuilder();
    for (int i = 0; i < 25; i++) {
      text.append("{\"operation\":\"add\",\"name\":\"S/").append(i).append("\",\"data\":{}}\n");
    }
    var file = Files.writeString(directory.resolve("operations.ndjson"), text);
    service.killAfter = 2;
    assertThrows(Killed.class, () -> run(file));
    assertEquals(new Tally(25, 0, 0, 0, 0), run(file));
    assertEquals(25, service.writes);
    // A run that has ended is over: the next one is another one, and says what it finds.
    assertEquals(new Tally(0, 0, 0, 0, 25), run(file));
  }

  @Test
  void a_row_that_repeats_a_key_revises_it_also_in_the_next_segment() throws Exception {
    var file = rows(9);
    Files.writeString(
        file,
        Files.readString(file)
            + "{\"id\":1,\"v\":\"y\"}\n{\"id\":1,\"v\":\"z\"}\n{\"id\":1,\"v\":\"z\"}\n");
    assertEquals(new Tally(9, 2, 0, 1, 0), run(file));
    assertEquals("z", service.entities.get("S/1").path("v").asText());
  }

  @Test
  void a_busy_service_gets_the_segment_again() throws Exception {
    service.busy = 1;
    var told = new Told();
    assertEquals(new Tally(3, 0, 0, 0, 0), run(rows(3), 0, told));
    assertEquals(List.of("The stream ended early: The replica is stopping."), told.waits);
  }

  @Test
  void a_busy_service_is_asked_again_what_exists() throws Exception {
    service.busyLookups = 1;
    var told = new Told();
    assertEquals(new Tally(3, 0, 0, 0, 0), run(rows(3), 0, told));
    assertEquals(1, told.waits.size());
  }

  @Test
  void faulty_lines_are_told_with_their_numbers_and_the_others_are_imported() throws Exception {
    var file =
        Files.writeString(
            directory.resolve("rows.ndjson"),
            "{\"id\":1}\nx\n\n{\"v\":1}\n{\"id\":\"a b\"}\n{\"id\":2}\n");
    assertEquals(new Tally(2, 0, 0, 0, 3), run(file));
    assertEquals(List.of(2L, 4L, 5L), faults.stream().map(LineFault::line).toList());
  }

  @Test
  void it_stops_after_the_segment_in_which_more_lines_fail_than_are_allowed() throws Exception {
    var file =
        Files.writeString(directory.resolve("rows.ndjson"), "{}\n".repeat(30) + "{\"id\":1}\n");
    var stopped = assertThrows(TooManyErrors.class, () -> run(file, 29, new Told()));
    assertEquals(30, stopped.tally().failed());
    assertEquals(new Tally(1, 0, 0, 0, 30), run(file, 30, new Told()));
  }

  @Test
  void a_file_that_became_shorter_is_no_continuation() throws Exception {
    var file = rows(ROWS);
    var modified = Files.getLastModifiedTime(file);
    service.killBefore = 3;
    assertThrows(Killed.class, () -> run(file));
    var text = Files.readString(file).replace("\n", " ");
    Files.writeString(file, text);
    Files.setLastModifiedTime(file, modified);
    var refused = assertThrows(IOException.class, () -> run(file));
    assertTrue(refused.getMessage().contains("--restart"), refused.getMessage());
  }

  @Test
  void two_processes_cannot_run_the_same_import() throws Exception {
    var states = directory.resolve("states");
    try (var first = StateFile.open(states, List.of("a"))) {
      first.write(ImportState.begin("run", true));
      var refused = assertThrows(IOException.class, () -> StateFile.open(states, List.of("a")));
      assertTrue(refused.getMessage().contains("is running already"), refused.getMessage());
      StateFile.open(states, List.of("b")).close();
    }
    try (var next = StateFile.open(states, List.of("a"))) {
      assertEquals(ImportState.begin("run", true), next.read().orElseThrow());
    }
  }

  @Test
  void a_state_is_read_as_it_was_written() throws Exception {
    var decisions =
        List.of(Decision.ADD, Decision.ADD, Decision.LEAVE, Decision.REVISE, Decision.RESTORE);
    var text = Decisions.encode(decisions);
    assertEquals("2a1l1r1t", text);
    assertEquals(decisions, Decisions.decode(text));
    var state =
        new ImportState(
            "run", false, 7, new Tally(1, 2, 3, 4, 5), new ImportState.Sending(9, text, 123));
    try (var states = StateFile.open(directory, List.of("x"))) {
      states.write(state);
      assertEquals(state, states.read().orElseThrow());
      try (var files = Files.list(directory)) {
        assertEquals(2, files.count()); // with the lock
      }
    }
  }

  @Test
  void a_segment_has_as_many_bytes_as_are_allowed_but_always_an_item() throws Exception {
    var file =
        Files.writeString(
            directory.resolve("rows.ndjson"),
            "{\"id\":1}\n{\"id\":2}\n{\"id\":3,\"v\":\"" + "x".repeat(500) + "\"}\n{\"id\":4}\n");
    var source = Source.of(List.of(file), null, InputStream.nullInputStream());
    var mapping = new RowMapping("S", KeyTemplate.parse("id"), null, ANY, false);
    try (var input = source.open(new AtomicLong())) {
      var reader = new SegmentReader(input, mapping, 10, 250);
      assertEquals(2, reader.next().items());
      assertEquals(1, reader.next().items());
      assertEquals(1, reader.next().items());
      assertTrue(reader.next().isEnd());
    }
  }

  @Test
  void a_part_of_a_batch_is_what_it_would_be_alone() throws Exception {
    List<Change> changes = new ArrayList<>();
    for (int i = 0; i < 5; i++) {
      changes.add(Change.operation(0, i + 1, "S/" + i, "add", "{\"n\":" + "1".repeat(i + 1) + "}"));
    }
    var batch = Batch.of(changes, Collections.nCopies(5, Decision.SEND));
    var part = batch.part(1, 4).part(1, 3);
    assertEquals("[{\"n\":111},{\"n\":1111}]", part.array());
    assertEquals(3, part.fault(0, "c", "d").line());
    assertEquals("{\"n\":111}\n{\"n\":1111}\n", new String(part.lines(), UTF_8));
  }
}
