package dev.cairn.query;

import static dev.cairn.query.Sample.commit;
import static dev.cairn.query.Sample.get;
import static dev.cairn.query.Sample.missing;
import static dev.cairn.query.Sample.note;
import static dev.cairn.query.Sample.refused;
import static dev.cairn.query.Sample.rename;
import static dev.cairn.query.Sample.repository;
import static dev.cairn.query.Sample.retract;
import static dev.cairn.query.Sample.revise;
import static dev.cairn.query.Sample.walk;
import static org.hamcrest.Matchers.contains;
import static org.hamcrest.Matchers.empty;
import static org.hamcrest.Matchers.hasKey;
import static org.hamcrest.Matchers.hasSize;
import static org.hamcrest.Matchers.is;
import static org.hamcrest.Matchers.matchesPattern;
import static org.hamcrest.Matchers.not;
import static org.hamcrest.Matchers.nullValue;
import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.cairn.Api;
import dev.cairn.HttpTest;
import io.quarkus.test.junit.QuarkusTest;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Reads: history and the commit log. */
@HttpTest
@QuarkusTest
class HistoryTest {
  @Test
  void history_needs_a_condition() {
    refused(repository() + "/history", "?wref");
    refused(repository() + "/history?limit=5", "?wref");
  }

  @Test
  void each_version_is_shown_with_its_commit_newest_first() {
    var repository = repository("Sensor/a");
    Api.submit(
            repository,
            "{'message':'second','author':'Somebody','operations':[" + revise("Sensor/a", 2) + "]}")
        .statusCode(201);
    commit(repository, retract("Sensor/a"));
    List<String> commits = get(repository + "/commits").extract().path("items.commitId");
    get(repository + "/history?wref=Sensor/a")
        .statusCode(200)
        .body("items.wref", contains("Sensor/a", "Sensor/a", "Sensor/a"))
        .body("items.version", contains(3, 2, 1))
        .body("items.operation", contains("revise", "revise", "add"))
        .body("items.active", contains(false, true, true))
        .body("items.data.n", contains(2, 2, null))
        .body("items.commitId", is(commits.subList(0, 3)))
        .body("items.author", contains("Administrator", "Somebody", "Administrator"))
        .body("items[1].message", is("second"))
        .body("items[0]", not(hasKey("message")))
        .body("items[0].createdAt", matchesType());
  }

  private static org.hamcrest.Matcher<Object> matchesType() {
    return org.hamcrest.Matchers.instanceOf(Long.class);
  }

  @Test
  void two_operations_on_one_entity_in_a_commit_are_two_entries() {
    var repository = repository("Sensor/a");
    commit(repository, revise("Sensor/a", 2) + "," + revise("Sensor/a", 3));
    get(repository + "/history?wref=Sensor/a").body("items.version", contains(3, 2, 1));
    assertEquals(3, walk(repository + "/history?wref=Sensor/a", "items.wref", 1).size());
  }

  @Test
  void a_shapes_history_has_all_its_entities() {
    var repository = repository("Sensor/a", "Sensor/b");
    commit(repository, revise("Sensor/a", 2));
    commit(repository, note("x", "Sensor/a"));
    get(repository + "/history?shape=Sensor")
        .body("items.wref", contains("Sensor/a", "Sensor/b", "Sensor/a"));
    get(repository + "/history?shape=Shape/Note").body("items.wref", contains("Note/x"));
    get(repository + "/history?shape=Shape")
        .body("items.wref", contains("Shape/Note", "Shape/Sensor"));
    get(repository + "/history?shape=Pair").body("items", empty());
    Sample.warned(repository + "/history?shape=None", "There is no shape `None`.");
  }

  @Test
  void a_shape_has_a_history_of_its_own() {
    var repository = repository();
    commit(
        repository,
        "{'operation':'revise','kind':'shape','name':'Sensor','data':{'fields':{'m':'string'}}}");
    get(repository + "/history?wref=Sensor")
        .body("items.wref", contains("Shape/Sensor", "Shape/Sensor"))
        .body("items.version", contains(2, 1));
    get(repository + "/history?wref=Shape/Pair").body("items", empty());
  }

  @Test
  void abouts_history_has_the_assertions_also_inactive_ones() {
    var repository = repository("Sensor/a", "Sensor/b");
    commit(repository, note("x", "Sensor/a") + "," + note("y", "Sensor/b"));
    commit(repository, retract("Note/x"));
    get(repository + "/history?about=Sensor/a")
        .body("items.wref", contains("Note/x", "Note/x"))
        .body("items.active", contains(false, true));
    Sample.warned(repository + "/history?about=Sensor/none", "There is no `Sensor/none`.");
    refused(repository + "/history?about=Sensor", "?about");
  }

  @Test
  void conditions_are_combined() {
    var repository = repository("Sensor/a", "Sensor/b");
    commit(repository, note("x", "Sensor/a") + "," + note("y", "Sensor/a"));
    get(repository + "/history?wref=Note/x&shape=Note&about=Sensor/a")
        .body("items.wref", contains("Note/x"));
    get(repository + "/history?wref=Note/x&about=Sensor/b").body("items", empty());
    get(repository + "/history?wref=Note/x&shape=Sensor").body("items", empty());
    get(repository + "/history?shape=Note&about=Sensor/a").body("items", hasSize(2));
  }

  @Test
  void a_modifier_picks_one_version() {
    var repository = repository("Sensor/a");
    commit(repository, revise("Sensor/a", 2));
    get(repository + "/history?wref=Sensor/a@v1").body("items.version", contains(1));
    get(repository + "/history?wref=Sensor/a@HEAD").body("items.version", contains(2));
    get(repository + "/history?wref=Sensor/a@ALL").body("items.version", contains(2, 1));
    get(repository + "/history?wref=Sensor/a@v3").body("items", empty());
  }

  @Test
  void a_rename_makes_no_version_and_is_shown_by_the_name_of_today() {
    var repository = repository("Sensor/a");
    commit(repository, rename("Sensor/a", "z"));
    get(repository + "/history?wref=Sensor/z").body("items.wref", contains("Sensor/z"));
    missing(repository + "/history?wref=Sensor/a");
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 5, 100})
  void pages_of_history_are_the_whole(int limit) {
    var repository = repository("Sensor/a", "Sensor/b");
    for (int i = 0; i < 4; i++) {
      commit(repository, revise("Sensor/a", i) + "," + revise("Sensor/b", i));
    }
    var url = repository + "/history?shape=Sensor";
    List<String> whole = get(url + "&limit=500").extract().path("items.wref");
    assertEquals(10, whole.size());
    assertEquals(whole, walk(url, "items.wref", limit));
    assertEquals(5, walk(repository + "/history?wref=Sensor/b", "items.wref", limit).size());
  }

  @Test
  void commits_come_newest_first_chained_by_their_hashes() {
    var repository = repository("Sensor/a");
    commit(repository, revise("Sensor/a", 2));
    var items = get(repository + "/commits").statusCode(200);
    items
        .body("items.repoSeq", contains(3, 2, 1))
        .body("items.operationCount", contains(1, 1, 2))
        .body("items[0].commitId", matchesPattern("[0-9a-f]{16}"))
        .body("items[0].operations", nullValue())
        .body("items[2].parentHash", is("0".repeat(64)));
    List<String> hashes = items.extract().path("items.hash");
    List<String> parents = items.extract().path("items.parentHash");
    List<String> ids = items.extract().path("items.commitId");
    assertEquals(hashes.subList(1, 3), parents.subList(0, 2));
    for (int i = 0; i < 3; i++) {
      assertEquals(ids.get(i), hashes.get(i).substring(0, 16));
    }
    assertEquals(ids, walk(repository + "/commits", "items.commitId", 2));
  }

  @Test
  void an_empty_repository_has_no_commits() {
    get(Api.newRepository() + "/commits").body("items", empty()).body("nextCursor", nullValue());
  }

  @Test
  void a_single_commit_shows_what_it_did() {
    var repository = repository("Sensor/a", "Sensor/b");
    String id =
        Api.submit(
                repository,
                "{'message':'m','operations':["
                    + revise("Sensor/a", 2)
                    + ","
                    + rename("Sensor/b", "c")
                    + ","
                    + note("x", "Sensor/a")
                    + ","
                    + retract("Sensor/a")
                    + "]}")
            .statusCode(201)
            .extract()
            .path("commitId");
    get(repository + "/commits/" + id)
        .statusCode(200)
        .body("commitId", is(id))
        .body("repoSeq", is(3))
        .body("message", is("m"))
        .body("operationCount", is(4))
        .body("operations.opIndex", contains(0, 1, 2, 3))
        .body("operations.operation", contains("revise", "rename", "add", "revise"))
        .body("operations.wref", contains("Sensor/a", "Sensor/c", "Note/x", "Sensor/a"))
        .body("operations.version", contains(2, null, 1, 3))
        .body("operations.active", contains(true, null, true, false))
        .body("operations[1].formerName", is("b"))
        .body("nextCursor", nullValue());
    assertEquals(
        List.of("Sensor/a", "Sensor/c", "Note/x", "Sensor/a"),
        walk(repository + "/commits/" + id, "operations.wref", 1));
  }

  @ParameterizedTest
  @ValueSource(strings = {"x", "0123456789ABCDEF", "0123456789abcde", "0123456789abcdef0", "1"})
  void a_commit_id_that_is_none_is_refused(String id) {
    refused(repository() + "/commits/" + id, "?commitId");
  }

  @Test
  void an_unknown_commit_and_one_of_another_repository_are_not_found() {
    missing(repository() + "/commits/0123456789abcdef");
    String id = get(repository() + "/commits").extract().path("items[0].commitId");
    missing(repository() + "/commits/" + id);
  }
}
