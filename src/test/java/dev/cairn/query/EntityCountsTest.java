package dev.cairn.query;

import static dev.cairn.Api.as;
import static dev.cairn.query.Sample.commit;
import static dev.cairn.query.Sample.get;
import static dev.cairn.query.Sample.note;
import static dev.cairn.query.Sample.repository;
import static dev.cairn.query.Sample.retract;
import static dev.cairn.query.Sample.thing;
import static org.hamcrest.Matchers.contains;
import static org.hamcrest.Matchers.is;
import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.cairn.Api;
import dev.cairn.HttpTest;
import dev.cairn.People;
import dev.cairn.access.Narrowing;
import dev.cairn.content.read.EntityCounts;
import dev.cairn.platform.database.OwnConnections;
import io.quarkus.test.junit.QuarkusTest;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Reads: how many entities of each shape and kind a description tells. */
@HttpTest
@QuarkusTest
class EntityCountsTest {
  @Test
  void counts_are_those_of_count_by_kind_and_shape() {
    var repository = repository("Sensor/a", "Sensor/b", "Sensor/c", "Sensor/d");
    commit(repository, note("n", "Sensor/a") + "," + retract("Sensor/d"));
    commit(repository, "{'operation':'add','name':'Set/s','members':['Sensor/a','Sensor/b']}");
    var answer = get(repository + "/describe").statusCode(200);
    Integer total = get(repository + "/count").extract().path("count");
    answer.body("counts.total", is(total));
    for (var kind : List.of("shape", "thing", "assertion", "collection")) {
      Integer count = get(repository + "/count?kind=" + kind).extract().path("count");
      answer.body("counts.byKind." + kind, is(count));
    }
    answer
        .body("repoSeq", is(4))
        .body("shapes.name", contains("Note", "Sensor"))
        .body("shapes.count", contains(1, 3))
        .body("shapes[1].sampleWrefs", contains("Sensor/a", "Sensor/b", "Sensor/c"))
        .body("builtInShapes.find { it.name == 'Set' }.count", is(1));
  }

  /** Ranges of names that touch, overlap and stand in each other, some of them read as a whole. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "Sensor/**",
        "Sensor/b/**",
        "Sensor/**,Sensor/b*",
        "Sensor/b*,Sensor/**",
        "Sensor/b*,Sensor/b/**,Sensor/b",
        "Sensor/b,Sensor/b/*",
        "Sensor,Sensor/*c",
        "Sensor",
        "Sensor/**,Note/n",
        "Shape/**",
        "Shape/*,Sensor/a",
        "Shape/Note,Sensor/b/**",
        "**/b",
        "**/b,Sensor/**",
      })
  void a_narrowed_reader_counts_and_samples_what_its_lists_have(String patterns) {
    var repository =
        repository(
            "Sensor/Sensor",
            "Sensor/a",
            "Sensor/a/b",
            "Sensor/b",
            "Sensor/b/b",
            "Sensor/b/c",
            "Sensor/bc",
            "Sensor/c");
    commit(repository, note("b", "Sensor/a") + "," + note("n", "Sensor/b"));
    var token = People.narrowedPat(repository, "repo:read", patterns.split(","));
    var answer = as(token).get(repository + "/describe").then().statusCode(200);
    int total = as(token).get(repository + "/count").path("count");
    answer.body("counts.total", is(total));
    for (var kind : List.of("shape", "thing", "assertion")) {
      int count = as(token).get(repository + "/count?kind=" + kind).path("count");
      answer.body("counts.byKind." + kind, is(count));
    }
    List<String> shapes = answer.extract().path("shapes.name");
    for (int i = 0; i < shapes.size(); i++) {
      List<String> wrefs =
          as(token).get(repository + "/head?shape=" + shapes.get(i)).path("items.wref");
      answer.body("shapes[%d].count".formatted(i), is(wrefs.size()));
      List<String> samples = answer.extract().path("shapes[%d].sampleWrefs".formatted(i));
      assertEquals(wrefs.stream().limit(3).toList(), samples);
    }
  }

  @Test
  void shapes_that_nobody_asked_for_are_counted_together() {
    var repository = repository("Sensor/a", "Sensor/b");
    commit(repository, note("m", "Sensor/a"));
    var statement =
        EntityCounts.statement(
            Api.repoId(repository),
            Narrowing.UNRESTRICTED,
            new String[] {"Sensor", "Missing"},
            false);
    assertEquals(
        List.of("Sensor 0 2 0", "null 2 0 1"),
        OwnConnections.database()
            .list(
                statement.sql(),
                row ->
                    row.getString(1)
                        + " "
                        + row.getLong(2)
                        + " "
                        + row.getLong(3)
                        + " "
                        + row.getLong(4),
                statement.parameters())
            .stream()
            .sorted()
            .toList());
  }

  @Test
  void counts_follow_each_commit() {
    var repository = repository("Sensor/a");
    get(repository + "/describe").body("counts.byKind.thing", is(1));
    commit(repository, thing("Sensor/b"));
    get(repository + "/describe").body("counts.byKind.thing", is(2));
    commit(repository, retract("Sensor/a"));
    get(repository + "/describe")
        .body("counts.byKind.thing", is(1))
        .body("shapes[1].sampleWrefs", contains("Sensor/b"));
  }
}
