package dev.cairn.query;

import static dev.cairn.query.Sample.commit;
import static dev.cairn.query.Sample.get;
import static dev.cairn.query.Sample.note;
import static dev.cairn.query.Sample.rename;
import static dev.cairn.query.Sample.repository;
import static dev.cairn.query.Sample.retract;
import static dev.cairn.query.Sample.thing;
import static org.hamcrest.Matchers.is;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.cairn.Api;
import dev.cairn.HttpTest;
import dev.cairn.platform.database.OwnConnections;
import io.quarkus.test.junit.QuarkusTest;
import java.sql.SQLException;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.Executors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Reads: the numbers that commits keep are those of the lists, whatever the commits do. */
@HttpTest
@QuarkusTest
class KeptCountsTest {
  private static void assertKept(String repository) {
    for (var filter :
        List.of(
            "includeInactive=false",
            "includeInactive=true",
            "kind=thing",
            "kind=assertion",
            "kind=shape",
            "kind=collection",
            "shape=Sensor",
            "shape=Sensor&includeInactive=true",
            "shape=Probe",
            "shape=Note",
            "shape=Shape",
            "match=Probe/**")) {
      var listed = Sample.walk(repository + "/query?" + filter, "items.wref", 500).size();
      get(repository + "/count?" + filter).statusCode(200).body("count", is(listed));
    }
    Api.admin().get(repository + "/verification").then().body("verified", is(true));
  }

  /** A number that is wrong in the database is answered as it is. */
  @Test
  void what_is_kept_is_not_counted() throws SQLException {
    var repository = repository("Sensor/a", "Sensor/b");
    var dataSource = OwnConnections.dataSource();
    try (var connection = dataSource.getConnection();
        var update =
            connection.prepareStatement(
                "update entity_count set count = count + 70 where kind = 'thing' and active"
                    + " and repo_id = (select r.id from repository r"
                    + " join organization o on o.id = r.org_id where o.name || '/' || r.name = ?)")) {
      update.setString(1, repository.substring("/api/repos/".length()));
      assertEquals(1, update.executeUpdate());
    }
    for (var filter : List.of("kind=thing", "shape=Sensor", "match=Sensor/**")) {
      get(repository + "/count?" + filter).body("count", is(72));
    }
    get(repository + "/count?match=Sensor/*").body("count", is(2));
  }

  @Test
  void the_rename_of_a_shape_takes_its_number_along() {
    var repository = repository("Sensor/a", "Sensor/b");
    commit(repository, retract("Sensor/b"));
    commit(repository, rename("Shape/Sensor", "Probe") + "," + thing("Probe/c"));
    get(repository + "/count?shape=Probe").body("count", is(2));
    get(repository + "/count?shape=Sensor").body("count", is(0));
    commit(
        repository,
        "{'operation':'add','kind':'shape','name':'Sensor','data':{'fields':{}}},"
            + thing("Sensor/z"));
    get(repository + "/count?shape=Sensor").body("count", is(1));
    assertKept(repository);
  }

  @Test
  void retracts_and_returns_count_once_however_often_they_are_repeated() {
    var repository = repository("Sensor/a", "Sensor/b");
    commit(repository, retract("Sensor/a") + "," + note("n", "Sensor/b"));
    var back = "{'operation':'revise','name':'Sensor/a','active':true}";
    commit(repository, back + "," + retract("Sensor/a") + "," + back);
    assertKept(repository);
    commit(repository, retract("Sensor/a") + "," + Sample.revise("Sensor/b", 2));
    assertKept(repository);
    commit(repository, thing("Sensor/c") + "," + retract("Sensor/c") + "," + retract("Shape/Note"));
    assertKept(repository);
    get(repository + "/count?shape=Sensor").body("count", is(1));
    get(repository + "/count?kind=shape").body("count", is(1));
  }

  @Test
  void collections_that_a_commit_makes_on_its_way_count() {
    var repository = repository("Sensor/a", "Sensor/b");
    commit(
        repository,
        "{'operation':'add','kind':'assertion','name':'Note/onPair','data':{},"
            + "'about':{'pair':['Sensor/b','Sensor/a']}}");
    get(repository + "/count?kind=collection").body("count", is(1));
    assertKept(repository);
  }

  @Test
  void commits_that_write_nothing_or_not_all_count_what_they_wrote() {
    var repository = repository("Sensor/a");
    var operations = "[" + thing("Sensor/b") + "," + thing("Sensor/a") + "]";
    for (var how : List.of("'dryRun':true,'atomic':false", "'atomic':false", "'atomic':true")) {
      Api.admin()
          .body("{%s,'operations':%s}".formatted(how, operations).replace('\'', '"'))
          .post(repository + "/commits");
    }
    get(repository + "/count?shape=Sensor").body("count", is(2));
    assertKept(repository);
  }

  @Test
  void commits_that_go_together_count_all_that_they_wrote() {
    var repository = repository("Sensor/a");
    try (var threads = Executors.newFixedThreadPool(8)) {
      IntStream.range(0, 40)
          .forEach(i -> threads.execute(() -> commit(repository, thing("Sensor/t" + i))));
    }
    get(repository + "/count?shape=Sensor").body("count", is(41));
    assertKept(repository);
  }

  @Test
  void a_number_is_gone_with_its_repository() {
    var repository = repository("Sensor/a");
    var id = Api.repoId(repository);
    assertTrue(rows(id) > 0);
    Api.admin().delete(repository).then().statusCode(200);
    assertEquals(0, rows(id));
  }

  private static long rows(UUID repoId) {
    return OwnConnections.database()
        .first("select count(*) from entity_count where repo_id = ?", row -> row.getLong(1), repoId)
        .orElseThrow();
  }
}
