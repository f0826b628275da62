package dev.cairn.commit;

import static dev.cairn.commit.Commits.add;
import static dev.cairn.commit.Commits.applied;
import static dev.cairn.commit.Commits.repositoryWith;
import static dev.cairn.commit.Commits.shape;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.cairn.HttpTest;
import dev.cairn.InProcess;
import dev.cairn.content.write.TableStatistics;
import dev.cairn.platform.database.Database;
import dev.cairn.platform.database.OwnConnections;
import io.quarkus.test.junit.QuarkusTest;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** {@code docs/decisions/0008-plans.md}, First loads. */
@HttpTest
@QuarkusTest
@InProcess("It asks the database what the planner knows.")
class FirstLoadTest {
  private static final List<String> TABLES = List.of("entity", "entity_version", "reference");

  private final Database database = OwnConnections.database();

  @AfterEach
  void leaveToAutovacuum() {
    TABLES.forEach(
        table -> database.update("alter table " + table + " reset (autovacuum_enabled)"));
  }

  @Test
  void the_planner_knows_the_rows_of_a_first_load_once_it_is_committed() {
    var repository = repositoryWith(shape("S"), add("S/n", "{}"));
    // As if there had been nothing before: the planner takes the tables for nearly empty.
    for (var table : TABLES) {
      database.update("alter table " + table + " set (autovacuum_enabled = off)");
      database.first(
          """
          select pg_restore_relation_stats(
            'schemaname', 'public', 'relname', ?::text, 'reltuples', 8::real, 'relpages', 1)
          """,
          _ -> true,
          table);
    }

    load(repository, "a");
    var known = known();
    known.forEach((table, rows) -> assertTrue(rows >= TableStatistics.ROWS, table + " " + rows));

    // What it knows is left to autovacuum.
    load(repository, "b");
    assertEquals(known, known());
  }

  private static void load(String repository, String prefix) {
    applied(
        repository,
        IntStream.range(0, TableStatistics.ROWS)
            .mapToObj(i -> add("S/" + prefix + i, "{'to':'S/n'}"))
            .toArray(String[]::new));
  }

  private Map<String, Long> known() {
    return database
        .list(
            """
            select relname, reltuples::bigint from pg_class
            where oid = any (array['entity', 'entity_version', 'reference']::regclass[])
            """,
            row -> Map.entry(row.getString(1), row.getLong(2)))
        .stream()
        .collect(Collectors.toMap(Map.Entry::getKey, Map.Entry::getValue));
  }
}
