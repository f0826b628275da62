package dev.cairn.query;

import static dev.cairn.query.Sample.commit;
import static dev.cairn.query.Sample.get;
import static dev.cairn.query.Sample.missing;
import static dev.cairn.query.Sample.note;
import static dev.cairn.query.Sample.refused;
import static dev.cairn.query.Sample.repository;
import static dev.cairn.query.Sample.retract;
import static dev.cairn.query.Sample.revise;
import static dev.cairn.query.Sample.walk;
import static org.hamcrest.Matchers.contains;
import static org.hamcrest.Matchers.empty;
import static org.hamcrest.Matchers.hasKey;
import static org.hamcrest.Matchers.is;
import static org.hamcrest.Matchers.not;
import static org.hamcrest.Matchers.nullValue;
import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.cairn.Api;
import dev.cairn.HttpTest;
import io.quarkus.test.junit.QuarkusTest;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Reads: what is asserted about a thing. */
@HttpTest
@QuarkusTest
class AboutTest {
  /** A chain of assertions: {@code Note/d1} about {@code Sensor/a}, each next about the last. */
  private static String chain(int length) {
    var repository = repository("Sensor/a");
    commit(repository, note("d1", "Sensor/a"));
    for (int i = 2; i <= length; i++) {
      commit(repository, note("d" + i, "Note/d" + (i - 1)));
    }
    return repository;
  }

  @Test
  void the_target_stands_beside_its_assertions() {
    var repository = repository("Sensor/a");
    get(repository + "/about/Sensor/a")
        .statusCode(200)
        .body("target.wref", is("Sensor/a"))
        .body("target.version", is(1))
        .body("target.active", is(true))
        .body("assertions", empty())
        .body("repoSeq", is(2))
        .body("keySet().size()", is(3));
    commit(repository, note("x", "Sensor/a"));
    get(repository + "/about/Sensor/a")
        .body("assertions[0].wref", is("Note/x"))
        .body("assertions[0].kind", is("assertion"))
        .body("assertions[0].aboutWref", is("Sensor/a@v1"))
        .body("assertions[0]", not(hasKey("children")));
  }

  @Test
  void assertions_come_newest_first_and_ties_by_operation() {
    var repository = repository("Sensor/a");
    commit(repository, note("b", "Sensor/a") + "," + note("a", "Sensor/a"));
    commit(repository, note("c", "Sensor/a"));
    commit(repository, "{'operation':'revise','name':'Note/b','data':{'text':'later'}}");
    get(repository + "/about/Sensor/a").body("assertions.name", contains("c", "a", "b"));
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 4, 5})
  void depth_shows_so_many_levels(int depth) {
    var repository = chain(6);
    var answer = get(repository + "/about/Sensor/a?depth=" + depth).statusCode(200);
    var path = "assertions[0]";
    for (int level = 1; level <= depth; level++) {
      answer.body(path + ".wref", is("Note/d" + level));
      path += ".children[0]";
    }
    answer.body(path, nullValue());
    get(repository + "/about/Sensor/a").body("assertions[0]", not(hasKey("children")));
  }

  @ParameterizedTest
  @ValueSource(strings = {"0", "6", "-1", "x", ""})
  void a_depth_outside_1_to_5_is_refused(String depth) {
    refused(repository("Sensor/a") + "/about/Sensor/a?depth=" + depth, "?depth");
  }

  @Test
  void children_are_those_of_their_parent_newest_first_and_active() {
    var repository = repository("Sensor/a");
    commit(repository, note("p", "Sensor/a") + "," + note("q", "Sensor/a"));
    commit(repository, note("p1", "Note/p") + "," + note("q1", "Note/q"));
    commit(repository, note("p2", "Note/p") + "," + note("p3", "Note/p"));
    commit(repository, retract("Note/p3"));
    get(repository + "/about/Sensor/a?depth=2")
        .body("assertions.name", contains("q", "p"))
        .body("assertions[0].children.name", contains("q1"))
        .body("assertions[1].children.name", contains("p2", "p1"));
  }

  @Test
  void more_than_fifty_children_are_cut_and_said_to_be() {
    var repository = repository("Sensor/a");
    commit(repository, note("p", "Sensor/a") + "," + note("q", "Sensor/a"));
    commit(repository, notes("p", 51) + "," + notes("q", 50));
    get(repository + "/about/Sensor/a?depth=2")
        .body("assertions[1].children.size()", is(50))
        .body("assertions[1].children[0].name", is("p51"))
        .body("assertions[1].childrenTruncated", is(true))
        .body("assertions[0].children.size()", is(50))
        .body("assertions[0].childrenTruncated", nullValue());
  }

  private static String notes(String parent, int count) {
    return IntStream.rangeClosed(1, count)
        .mapToObj(i -> note(parent + i, "Note/" + parent))
        .collect(Collectors.joining(","));
  }

  @Test
  void inactive_assertions_are_left_out() {
    var repository = repository("Sensor/a");
    commit(repository, note("x", "Sensor/a") + "," + note("y", "Sensor/a"));
    commit(repository, retract("Note/x"));
    get(repository + "/about/Sensor/a").body("assertions.name", contains("y"));
  }

  @Test
  void an_inactive_thing_may_be_the_target() {
    var repository = repository("Sensor/a");
    commit(repository, note("x", "Sensor/a"));
    commit(repository, retract("Sensor/a"));
    commit(repository, note("y", "Sensor/a"));
    get(repository + "/about/Sensor/a")
        .body("target.active", is(false))
        .body("assertions.aboutWref", contains("Sensor/a@v2", "Sensor/a@v1"));
  }

  @Test
  void a_pinned_target_keeps_the_assertions_pinned_to_that_version() {
    var repository = repository("Sensor/a");
    commit(repository, note("x", "Sensor/a"));
    commit(repository, revise("Sensor/a", 1));
    commit(repository, note("y", "Sensor/a"));
    commit(repository, note("z", "Sensor/a@v1"));
    get(repository + "/about/Sensor/a").body("assertions.name", contains("z", "y", "x"));
    get(repository + "/about/Sensor/a@ALL").body("assertions.name", contains("z", "y", "x"));
    get(repository + "/about/Sensor/a@v1").body("assertions.name", contains("z", "x"));
    get(repository + "/about/Sensor%2Fa%40v2").body("assertions.name", contains("y"));
    get(repository + "/about/Sensor/a@HEAD").body("assertions.name", contains("y"));
    missing(repository + "/about/Sensor/a@v3");
  }

  @Test
  void shape_and_match_narrow_the_assertions_not_their_children() {
    var repository = repository("Sensor/a");
    commit(
        repository,
        "{'operation':'add','kind':'shape','name':'Claim','data':{'fields':{}}},"
            + "{'operation':'add','kind':'assertion','name':'Claim/c','about':'Sensor/a','data':{}}"
            + ","
            + note("n1", "Sensor/a")
            + ","
            + note("m1", "Sensor/a"));
    commit(repository, note("onClaim", "Claim/c"));
    get(repository + "/about/Sensor/a?shape=Claim&depth=2")
        .body("assertions.wref", contains("Claim/c"))
        .body("assertions[0].children.wref", contains("Note/onClaim"));
    get(repository + "/about/Sensor/a?match=Note/n*").body("assertions.wref", contains("Note/n1"));
    get(repository + "/about/Sensor/a?match=Note/x*").body("assertions", empty());
    refused(repository + "/about/Sensor/a?shape=9", "?shape");
    refused(repository + "/about/Sensor/a?kind=thing", "?kind");
  }

  @Test
  void resolved_collections_bring_the_assertions_about_them() {
    var repository = repository("Sensor/a", "Sensor/b");
    commit(repository, note("x", "Sensor/a"));
    commit(
        repository,
        "{'operation':'add','kind':'assertion','name':'Note/pair','data':{},"
            + "'about':{'pair':['Sensor/a','Sensor/b']}}");
    get(repository + "/about/Sensor/a").body("assertions.name", contains("x"));
    get(repository + "/about/Sensor/a?resolveCollections=true")
        .body("assertions.name", contains("pair", "x"));
    get(repository + "/about/Sensor/b?resolveCollections=true")
        .body("assertions.name", contains("pair"));
    refused(repository + "/about/Sensor/a?resolveCollections=maybe", "?resolveCollections");
  }

  @Test
  void pages_walk_from_the_newest_to_the_oldest() {
    var repository = repository("Sensor/a");
    for (int i = 0; i < 3; i++) {
      int base = i * 4;
      commit(
          repository,
          IntStream.range(base, base + 4)
              .mapToObj(n -> note("n" + n, "Sensor/a"))
              .collect(Collectors.joining(",")));
    }
    var newestFirst = IntStream.range(0, 12).mapToObj(n -> "Note/n" + (11 - n)).toList();
    for (int limit : List.of(1, 3, 4, 11, 12, 13)) {
      assertEquals(
          newestFirst, walk(repository + "/about/Sensor/a", "assertions.wref", limit), "" + limit);
    }
  }

  @Test
  void pages_stay_right_while_others_write() {
    var repository = repository("Sensor/a");
    commit(repository, note("1", "Sensor/a") + "," + note("2", "Sensor/a"));
    var url = repository + "/about/Sensor/a?limit=1";
    String cursor = get(url).body("assertions.name", contains("2")).extract().path("nextCursor");
    commit(repository, note("3", "Sensor/a"));
    get(url + "&cursor=" + cursor).body("assertions.name", contains("1"));
  }

  @Test
  void a_shape_may_be_the_target_a_built_in_one_too() {
    var repository = repository("Sensor/a");
    commit(repository, note("x", "Shape/Sensor"));
    get(repository + "/about/Sensor").body("assertions.name", contains("x"));
    get(repository + "/about/Shape%2FSensor").body("target.wref", is("Shape/Sensor"));
    get(repository + "/about/Pair").statusCode(200).body("assertions", empty());
  }

  @Test
  void assertions_about_something_in_another_repository_are_found_here() {
    var there = repository("Sensor/far");
    var here = repository();
    var wref = "cairn:" + there.substring("/api/repos/".length()) + "/Sensor/far";
    commit(here, note("x", wref));
    get(here + "/about/" + wref).statusCode(200).body("assertions.name", contains("x"));
    get(here + "/about/" + wref).body("assertions[0].aboutWref", is(wref + "@v1"));
    get(there + "/about/Sensor/far").body("assertions", empty());
  }

  @Test
  void what_is_private_elsewhere_does_not_exist_here() {
    var hidden = Api.newRepository("private");
    commit(
        hidden,
        "{'operation':'add','kind':'shape','name':'Sensor','data':{'fields':{}}},"
            + Sample.thing("Sensor/a"));
    var here = repository();
    var wref = "cairn:" + hidden.substring("/api/repos/".length()) + "/Sensor/a";
    commit(here, note("x", wref));
    missing(here + "/about/" + wref);
    Sample.warned(here + "/history?about=" + wref, "There is no `" + wref + "`.");
    Sample.warned(here + "/query?about=" + wref, "There is no `" + wref + "`.");
    Api.admin().get(here + "/about/" + wref).then().body("assertions.name", contains("x"));
  }
}
