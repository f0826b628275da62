package dev.cairn.export;

import static dev.cairn.Api.commit;
import static dev.cairn.Api.newRepository;
import static dev.cairn.export.Exports.content;
import static dev.cairn.export.Exports.stream;
import static dev.cairn.export.Exports.wrefs;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.cairn.Api;
import dev.cairn.HttpTest;
import dev.cairn.InProcess;
import dev.cairn.platform.database.Database;
import io.micrometer.core.instrument.MeterRegistry;
import io.quarkus.test.junit.QuarkusTest;
import jakarta.inject.Inject;
import java.io.ByteArrayOutputStream;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.function.IntFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** docs/export.md, Lines: the order, with any number of edges that fit into memory. */
@HttpTest
@QuarkusTest
@InProcess("It bounds the memory of an export.")
class ExportOrderTest {
  private static final int CHAIN = 450;
  private static final int MANY = 1_100;
  private static final String SHAPE =
      """
      {'operation':'add','name':'Shape/Node','data':{'fields':{
        'to?':'wref','many?':{'type':'array','items':'wref'}}}}
      """;

  @Inject Database database;
  @Inject ExportQueries queries;
  @Inject MeterRegistry registry;

  private static String operations(int count, IntFunction<String> operation) {
    return IntStream.range(0, count).mapToObj(operation).collect(Collectors.joining(","));
  }

  private static String node(String name) {
    return "{'operation':'add','name':'Node/%s','data':{}}".formatted(name);
  }

  private static String revise(String name, String data) {
    return "{'operation':'revise','name':'Node/%s','data':{%s}}".formatted(name, data);
  }

  private static String repository(String... commits) {
    var repository = newRepository("private");
    commit(repository, SHAPE).statusCode(201);
    for (var commit : commits) {
      commit(repository, commit).statusCode(201);
    }
    return repository;
  }

  /** The export with at most this number of edges in memory. */
  private String export(String repository, long seq, int maxEdges) {
    var repoId = Api.repoId(repository);
    var out = new ByteArrayOutputStream();
    database.inReadOnlySnapshot(
        Duration.ofMinutes(1), () -> NdjsonWriter.write(queries.at(repoId, seq), out, maxEdges));
    return out.toString(UTF_8);
  }

  private static void assertInOrder(String text, String... wrefs) {
    var all = wrefs(text);
    assertEquals(
        List.of(wrefs), all.stream().filter(List.of(wrefs)::contains).toList(), text::toString);
  }

  @Test
  void a_chain_of_forward_references_takes_few_statements() {
    var repository =
        repository(
            operations(CHAIN, i -> node("n" + i)),
            operations(CHAIN - 1, i -> revise("n" + i, "'to':'Node/n%d'".formatted(i + 1))));
    var names = IntStream.range(0, CHAIN).mapToObj(i -> "Node/n" + i).collect(Collectors.toList());
    Collections.reverse(names);
    var statements = registry.get("cairn.sql.statements").counter();
    for (int maxEdges : new int[] {CHAIN - 1, CHAIN - 2, 0}) {
      double before = statements.count();
      var text = export(repository, 3, maxEdges);
      double sent = statements.count() - before;
      assertEquals(names, wrefs(text).subList(1, CHAIN + 1), maxEdges + " edges");
      assertTrue(sent < 60, () -> sent + " statements");
    }
  }

  @Test
  void references_to_one_entity_count_once_and_one_edge_more_than_fits_changes_only_the_order() {
    var twenty = String.join(",", Collections.nCopies(20, "'Node/late'"));
    var repository =
        repository(
            node("a") + "," + node("b") + "," + node("c") + "," + node("late"),
            revise("a", "'many':[" + twenty + "]"),
            revise("b", "'to':'Node/c','many':['Node/a']"),
            revise("c", "'to':'Node/b'"));
    // A circle is left where it is by what fits into memory, and follows everything otherwise.
    var fits = export(repository, 5, 4);
    assertEquals(stream(repository), fits);
    assertInOrder(fits, "Node/b", "Node/c", "Node/late", "Node/a");
    var passes = export(repository, 5, 3);
    assertNotEquals(fits, passes);
    assertInOrder(passes, "Node/late", "Node/a", "Node/b", "Node/c");
    assertEquals(content(fits), content(passes));
  }

  @Test
  void without_memory_all_kinds_of_references_are_in_order_at_any_moment() {
    var repository =
        repository(
            node("a") + "," + node("b") + "," + node("c"),
            "{'operation':'add','name':'Node/of','about':'Node/a','data':{}}",
            "{'operation':'add','type':'set','name':'Set/s','members':['Node/b']}",
            revise("a", "'to':'Set/s'"),
            revise("c", "'to':'Node/of'"),
            operations(MANY, i -> node("m" + i)),
            revise("b", "'many':[%s]".formatted(operations(MANY, i -> "'Node/m" + i + "'"))),
            node("gone"),
            revise("m0", "'to':'Node/gone'"),
            "{'operation':'retract','name':'Node/gone'}");
    var text = export(repository, 11, 0);
    assertInOrder(text, "Node/m0", "Node/b", "Set/s", "Node/a", "Node/of", "Node/c");
    assertInOrder(text, "Node/m" + (MANY - 1), "Node/b");
    assertEquals(content(stream(repository)), content(text));
    var before = export(repository, 10, 0);
    assertInOrder(before, "Node/gone", "Node/m0", "Node/b", "Set/s", "Node/a", "Node/of", "Node/c");
    assertEquals(content(before), content(stream(Exports.replay(before))));
    assertFalse(wrefs(text).contains("Node/gone"));
    var first = export(repository, 4, 0);
    assertEquals(
        List.of("Shape/Node", "Node/a", "Node/b", "Node/c", "Set/s", "Node/of"), wrefs(first));
  }
}
