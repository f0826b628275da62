package dev.cairn.query;

import static dev.cairn.query.Sample.commit;
import static dev.cairn.query.Sample.encoded;
import static dev.cairn.query.Sample.get;
import static dev.cairn.query.Sample.note;
import static dev.cairn.query.Sample.refused;
import static dev.cairn.query.Sample.rename;
import static dev.cairn.query.Sample.repository;
import static dev.cairn.query.Sample.retract;
import static dev.cairn.query.Sample.wrefs;
import static org.hamcrest.Matchers.anEmptyMap;
import static org.hamcrest.Matchers.contains;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.empty;
import static org.hamcrest.Matchers.hasKey;
import static org.hamcrest.Matchers.hasSize;
import static org.hamcrest.Matchers.is;
import static org.hamcrest.Matchers.not;
import static org.hamcrest.Matchers.nullValue;
import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.cairn.Api;
import dev.cairn.HttpTest;
import io.quarkus.test.junit.QuarkusTest;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Reads: head, query and count with their filters. */
@HttpTest
@QuarkusTest
class ListReadsTest {
  private static final String COLLECTION =
      "{'operation':'add','kind':'collection','type':'set','name':'Set/both',"
          + "'members':['Sensor/a','Sensor/b']}";

  /** Both lists and the count must say the same. */
  private static void assertSelects(String repository, String filter, String... expected) {
    var wanted = List.of(expected);
    var query = filter.isEmpty() ? "" : "?" + filter;
    assertEquals(wanted, wrefs(repository + "/head" + query), "head " + filter);
    assertEquals(wanted, wrefs(repository + "/query" + query), "query " + filter);
    get(repository + "/count" + query).statusCode(200).body("count", is(wanted.size()));
  }

  @Test
  void a_filter_that_names_nothing_is_told_as_such() {
    var repository = repository("Sensor/a");
    for (var read : List.of("/head", "/query")) {
      Sample.warned(repository + read + "?shape=None", "There is no shape `None`.");
      get(repository + read + "?shape=Note").body("items", empty()).body("warnings", nullValue());
      get(repository + read + "?shape=Pair").body("items", empty()).body("warnings", nullValue());
      get(repository + read + "?match=None/x").body("warnings", nullValue());
    }
    Sample.warned(repository + "/query?about=Sensor/x", "There is no `Sensor/x`.");
    get(repository + "/query?about=Sensor/a").body("items", empty()).body("warnings", nullValue());
    get(repository + "/query?shape=None&about=Sensor/x")
        .body("warnings", contains("There is no shape `None`.", "There is no `Sensor/x`."));
    get(repository + "/count?shape=None")
        .body("count", is(0))
        .body("warnings", contains("There is no shape `None`."));
    get(repository + "/count?shape=Sensor").body("count", is(1)).body("warnings", nullValue());
    get(repository + "/count?about=Sensor/x").body("warnings", contains("There is no `Sensor/x`."));
  }

  @Test
  void an_empty_repository_has_no_items_since_built_in_shapes_are_excluded() {
    var repository = Api.newRepository();
    assertSelects(repository, "");
    assertSelects(repository, "kind=shape");
    assertSelects(repository, "shape=Shape");
    assertSelects(repository, "match=Shape/**");
    assertSelects(repository, "includeInactive=true");
    get(repository + "/head").body("nextCursor", nullValue()).body("$", not(hasKey("nextCursor")));
  }

  @Test
  void without_a_filter_the_whole_set_comes_shapes_included() {
    var repository = repository("Sensor/a", "Sensor/b");
    commit(repository, note("x", "Sensor/a") + "," + COLLECTION);
    assertSelects(
        repository, "", "Note/x", "Sensor/a", "Sensor/b", "Set/both", "Shape/Note", "Shape/Sensor");
  }

  @Test
  void an_item_has_the_members_of_the_contract_and_no_others() {
    var repository = repository("Sensor/a/b");
    commit(repository, note("x", "Sensor/a/b"));
    get(repository + "/head?shape=Sensor")
        .body("items[0].wref", is("Sensor/a/b"))
        .body("items[0].name", is("a/b"))
        .body("items[0].shapeName", is("Sensor"))
        .body("items[0].kind", is("thing"))
        .body("items[0].version", is(1))
        .body("items[0].data", anEmptyMap())
        .body("items[0].keySet().size()", is(6));
    get(repository + "/head?shape=Note")
        .body("items[0].aboutWref", is("Sensor/a/b@v1"))
        .body("items[0].kind", is("assertion"))
        .body("items[0].keySet().size()", is(7));
    get(repository + "/head?kind=shape")
        .body("items.name", contains("Note", "Sensor"))
        .body("items.shapeName", contains("Shape", "Shape"));
  }

  @Test
  void kind_selects_things_assertions_shapes_and_collections() {
    var repository = repository("Sensor/a", "Sensor/b");
    commit(repository, note("x", "Sensor/a") + "," + COLLECTION);
    assertSelects(repository, "kind=thing", "Sensor/a", "Sensor/b", "Set/both");
    assertSelects(repository, "kind=assertion", "Note/x");
    assertSelects(repository, "kind=shape", "Shape/Note", "Shape/Sensor");
    assertSelects(repository, "kind=collection", "Set/both");
    assertSelects(repository, "kind=collection&shape=Sensor");
    get(repository + "/head?kind=collection").body("items.kind", contains("thing"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "Thing", "things", "collection%20", "null", "%F0%9F%92%A9"})
  void another_kind_is_refused(String kind) {
    var repository = Api.newRepository();
    for (var route : List.of("/head", "/query", "/count")) {
      refused(repository + route + "?kind=" + kind, "?kind");
    }
  }

  @Test
  void shape_selects_by_its_bare_or_its_whole_name() {
    var repository = repository("Sensor/a");
    assertSelects(repository, "shape=Sensor", "Sensor/a");
    assertSelects(repository, "shape=Shape/Sensor", "Sensor/a");
    assertSelects(repository, "shape=Shape", "Shape/Note", "Shape/Sensor");
    assertSelects(repository, "shape=sensor");
    assertSelects(repository, "shape=Nothing");
    refused(repository + "/query?shape=", "?shape");
    refused(repository + "/query?shape=Sensor/a", "?shape");
    refused(repository + "/count?shape=9x", "?shape");
  }

  @Test
  void about_selects_the_assertions_about_a_target() {
    var repository = repository("Sensor/a", "Sensor/b");
    commit(repository, note("x", "Sensor/a") + "," + note("y", "Sensor/b"));
    commit(repository, note("z", "Note/x"));
    assertSelects(repository, "about=Sensor/a", "Note/x");
    assertSelects(repository, "about=Note/x", "Note/z");
    assertSelects(repository, "about=" + encoded("Sensor/b"), "Note/y");
    assertSelects(repository, "about=Sensor/none");
    refused(repository + "/query?about=Sensor", "?about");
    refused(repository + "/query?about=", "?about");
  }

  @Test
  void a_bare_about_means_every_version_and_a_modifier_one() {
    var repository = repository("Sensor/a");
    commit(repository, note("x", "Sensor/a"));
    commit(repository, Sample.revise("Sensor/a", 1));
    commit(repository, note("y", "Sensor/a"));
    assertSelects(repository, "about=Sensor/a", "Note/x", "Note/y");
    assertSelects(repository, "about=Sensor/a@ALL", "Note/x", "Note/y");
    assertSelects(repository, "about=Sensor/a@v1", "Note/x");
    assertSelects(repository, "about=Sensor/a@HEAD", "Note/y");
    assertSelects(repository, "about=Sensor/a@v2", "Note/y");
    assertSelects(repository, "about=Sensor/a@v3");
  }

  @Test
  void resolved_collections_add_the_assertions_about_those_that_hold_the_target() {
    var repository = repository("Sensor/a", "Sensor/b", "Sensor/c");
    commit(repository, note("direct", "Sensor/a") + "," + COLLECTION);
    commit(repository, note("onSet", "Set/both"));
    commit(
        repository,
        "{'operation':'add','kind':'assertion','name':'Note/onPair','data':{},"
            + "'about':{'pair':['Sensor/b','Sensor/a']}}");
    assertSelects(repository, "about=Sensor/a", "Note/direct");
    assertSelects(
        repository,
        "about=Sensor/a&resolveCollections=true",
        "Note/direct",
        "Note/onPair",
        "Note/onSet");
    assertSelects(
        repository, "about=Sensor/b&resolveCollections=true", "Note/onPair", "Note/onSet");
    assertSelects(repository, "about=Sensor/c&resolveCollections=true");
    assertSelects(repository, "about=Set/both", "Note/onSet");
    commit(repository, retract("Set/both"));
    assertSelects(
        repository, "about=Sensor/a&resolveCollections=true", "Note/direct", "Note/onPair");
  }

  @Test
  void a_retracted_collection_member_is_still_contained_whatever_version_is_pinned() {
    var repository = repository("Sensor/a", "Sensor/b");
    commit(repository, COLLECTION);
    commit(repository, note("onSet", "Set/both"));
    commit(repository, Sample.revise("Sensor/a", 7));
    assertSelects(repository, "about=Sensor/a&resolveCollections=true", "Note/onSet");
  }

  @Test
  void filters_are_combined() {
    var repository = repository("Sensor/a", "Sensor/ab", "Sensor/b");
    commit(repository, note("a1", "Sensor/a") + "," + note("b1", "Sensor/a"));
    assertSelects(repository, "shape=Sensor&match=*/a*", "Sensor/a", "Sensor/ab");
    assertSelects(repository, "about=Sensor/a&match=Note/a*", "Note/a1");
    assertSelects(repository, "about=Sensor/a&shape=Sensor");
    assertSelects(repository, "kind=thing&match=Note/**");
  }

  @Test
  void inactive_entities_come_only_when_asked_for_and_then_each_item_says() {
    var repository = repository("Sensor/a", "Sensor/b");
    commit(repository, retract("Sensor/a"));
    assertSelects(repository, "shape=Sensor", "Sensor/b");
    assertSelects(repository, "shape=Sensor&includeInactive=false", "Sensor/b");
    assertSelects(repository, "shape=Sensor&includeInactive=true", "Sensor/a", "Sensor/b");
    get(repository + "/head?shape=Sensor&includeInactive=true")
        .body("items.active", contains(false, true))
        .body("items.version", contains(2, 1));
    get(repository + "/head?shape=Sensor").body("items[0]", not(hasKey("active")));
    refused(repository + "/head?includeInactive=yes", "?includeInactive");
    refused(repository + "/head?includeInactive=", "?includeInactive");
    refused(repository + "/count?resolveCollections=1", "?resolveCollections");
  }

  @Test
  void names_are_in_byte_order() {
    var inOrder =
        List.of(
            "Sensor/-",
            "Sensor/10",
            "Sensor/2",
            "Sensor/A",
            "Sensor/B",
            "Sensor/Z",
            "Sensor/_",
            "Sensor/a",
            "Sensor/a!",
            "Sensor/a-b",
            "Sensor/a/b",
            "Sensor/aa",
            "Sensor/b",
            "Sensor/z",
            "Sensor/ä",
            "Sensor/é",
            "Sensor/ß",
            "Sensor/я",
            "Sensor/中",
            "Sensor/ﬀ",
            "Sensor/𝒜",
            "Sensor/😀");
    var byBytes =
        inOrder.stream()
            .sorted(
                (a, b) ->
                    Arrays.compareUnsigned(
                        a.getBytes(StandardCharsets.UTF_8), b.getBytes(StandardCharsets.UTF_8)))
            .toList();
    var repository = repository();
    var mixed = new ArrayList<>(inOrder);
    Collections.shuffle(mixed, new Random(7));
    Sample.add(repository, mixed);
    assertEquals(byBytes, wrefs(repository + "/query?shape=Sensor"));
    assertEquals(byBytes, Sample.walk(repository + "/query?shape=Sensor", "items.wref", 3));
  }

  @Test
  void shapes_are_in_byte_order_before_names() {
    var repository = Api.newRepository();
    for (var shape : List.of("b", "B", "a", "A-", "A")) {
      commit(
          repository,
          "{'operation':'add','kind':'shape','name':'%s','data':{'fields':{}}},%s"
              .formatted(shape, Sample.thing(shape + "/x")));
    }
    assertSelects(repository, "kind=thing", "A/x", "A-/x", "B/x", "a/x", "b/x");
  }

  @Test
  void a_renamed_entity_is_listed_by_its_name_of_today_alone() {
    var repository = repository("Sensor/a");
    commit(repository, rename("Sensor/a", "z"));
    assertSelects(repository, "shape=Sensor", "Sensor/z");
    assertSelects(repository, "match=Sensor/a");
  }

  @Test
  void a_read_sees_the_commit_that_was_acknowledged_before_it() {
    var repository = repository();
    for (int i = 1; i <= 20; i++) {
      commit(repository, Sample.thing("Sensor/n" + i));
      get(repository + "/count?shape=Sensor").body("count", is(i));
    }
  }

  @Test
  void count_takes_no_paging() {
    var repository = repository("Sensor/a");
    refused(repository + "/count?limit=1", "?limit");
    refused(repository + "/count?cursor=x", "?cursor");
    get(repository + "/count").body("keySet().size()", is(1)).body("count", is(3));
  }

  @Test
  void all_parameters_that_are_unknown_or_given_twice_are_named_at_once() {
    var path = repository("Sensor/a") + "/query?shap=Sensor&kind=thing&kind=thing&colour=red";
    Api.anonymous()
        .get(path)
        .then()
        .statusCode(400)
        .body("errors.pointer", contains("?colour", "?kind", "?shap"))
        .body("hint", containsString("shape"));
  }

  @Test
  void a_parameter_given_twice_is_refused() {
    var repository = repository("Sensor/a");
    for (var name : List.of("shape", "kind", "match", "missing", "fields", "limit", "cursor")) {
      refused(repository + "/query?" + name + "=a&" + name + "=a", "?" + name);
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "0",
        "501",
        "-1",
        "abc",
        "1.0",
        "1e2",
        "%2B5",
        "+5",
        "0x10",
        "99999999999",
        "%D9%A3"
      })
  void a_limit_outside_1_to_500_is_refused(String limit) {
    var repository = repository("Sensor/a");
    for (var route :
        List.of(
            "/head?",
            "/query?",
            "/about/Sensor/a?",
            "/history?wref=Sensor/a&",
            "/shapes?",
            "/commits?")) {
      refused(repository + route + "limit=" + limit, "?limit");
    }
  }

  @Test
  void a_limit_of_1_and_of_500_are_taken_and_50_is_the_default() {
    var repository = repository();
    Sample.add(repository, Sample.numbered(501));
    get(repository + "/head?shape=Sensor").body("items", hasSize(50));
    get(repository + "/head?shape=Sensor&limit=1").body("items", hasSize(1));
    get(repository + "/head?shape=Sensor&limit=500").body("items", hasSize(500));
  }
}
