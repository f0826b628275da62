package dev.cairn.cli.bulk;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.core.JsonProcessingException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DryRunTest {
  private static final CellTypes ANY = new CellTypes(Json.MAPPER.createObjectNode());

  @TempDir Path directory;

  private final Map<String, Lookups.Found> existing = new HashMap<>();
  private final List<LineFault> faults = new ArrayList<>();
  private int lookups;

  private void exists(String wref, String data, boolean isActive) {
    try {
      existing.put(
          wref, new Lookups.Found(Json.MAPPER.readTree(data.replace('\'', '"')), isActive));
    } catch (JsonProcessingException e) {
      throw new AssertionError(e);
    }
  }

  private Map<String, Lookups.Found> find(List<String> wrefs) {
    lookups++;
    Map<String, Lookups.Found> found = new HashMap<>(existing);
    found.keySet().retainAll(wrefs);
    return found;
  }

  private Tally run(String text) throws IOException {
    var file = Files.writeString(directory.resolve("file"), text.replace('\'', '"'));
    var source = Source.of(List.of(file), null, InputStream.nullInputStream());
    Mapping mapping =
        switch (source.format().content()) {
          case ROWS -> new RowMapping("S", KeyTemplate.parse("id"), null, ANY, false);
          case EXPORT -> new ExportMapping();
          case OPERATIONS -> new OperationMapping(OperationMapping.Sent.BY_STREAM);
        };
    try (var input = source.open(new AtomicLong())) {
      var reader = new SegmentReader(input, mapping, 100, 100_000);
      return new DryRun(reader, this::find, faults::add).run(() -> {});
    }
  }

  @Test
  void rows_are_counted_as_the_import_would_treat_them() throws IOException {
    exists("S/1", "{'id':1}", true);
    exists("S/2", "{'id':2,'v':'old'}", true);
    exists("S/3", "{'id':3}", false);
    exists("S/5", "{'id':5.0,'r':'T/a@v3'}", true);
    assertEquals(
        new Tally(1, 2, 0, 2, 1),
        run("{'id':1}\n{'id':2}\n{'id':3}\n{'id':4}\n{'id':5,'r':'T/a'}\n{'v':1}\n"));
    assertEquals(1, lookups);
  }

  @Test
  void a_repeated_key_is_a_revise_also_a_segment_later() throws IOException {
    var rows = new StringBuilder();
    IntStream.range(0, 150).forEach(i -> rows.append("{'id':").append(i % 120).append("}\n"));
    assertEquals(new Tally(120, 30, 0, 0, 0), run(rows.toString()));
    assertEquals(2, lookups);
  }

  @Test
  void collections_of_an_export_never_change() throws IOException {
    exists("Pair/p", "{'first':'S/a@v1','second':'S/b@v1'}", true);
    assertEquals(
        new Tally(0, 0, 0, 1, 0),
        run(
            "{'kind':'thing','wref':'Pair/p','shapeName':'Pair','data':"
                + "{'first':'S/a','second':'S/c'}}\n"));
  }

  @Test
  void operations_are_counted_by_what_they_would_do() throws IOException {
    exists("S/a", "{'v':1}", true);
    exists("Shape/S", "{'fields':{}}", true);
    assertEquals(
        new Tally(1, 3, 1, 3, 3),
        run(
            """
            {'operation':'add','name':'S/new','data':{}}
            {'operation':'add','name':'S/a','data':{}}
            {'operation':'add','name':'S/a','data':{},'skipExisting':true}
            {'operation':'revise','name':'S/new','data':{'v':2}}
            {'operation':'revise','name':'S/missing','data':{}}
            {'operation':'rename','name':'S/a','newName':'b'}
            {'operation':'retract','name':'S/a'}
            {'operation':'add','name':'S','data':{'fields':{}},'skipExisting':true}
            {'operation':'revise','name':'Shape/S','data':{'fields':{'v':'any'}}}
            {'operation':'move','name':'S/a'}
            {'operation':'add','name':'S/new','data':{},'skipExisting':true}
            """));
    assertEquals(List.of(2L, 5L, 10L), faults.stream().map(LineFault::line).toList());
  }

  @Test
  void a_revise_to_what_is_there_changes_nothing() throws IOException {
    exists("S/a", "{'v':1}", true);
    assertEquals(
        new Tally(0, 0, 0, 1, 0), run("{'operation':'revise','name':'S/a','data':{'v':1}}\n"));
  }

  @Test
  void a_set_of_names_knows_exactly_those_that_were_added() {
    var names = new NameSet();
    for (int i = 0; i < 100_000; i++) {
      assertTrue(names.add("S/" + i));
    }
    for (int i = 0; i < 100_000; i++) {
      assertTrue(names.contains("S/" + i));
      assertFalse(names.contains("T/" + i));
    }
    assertFalse(names.add("S/7"));
  }
}
