package dev.cairn.query;

import static dev.cairn.query.Sample.commit;
import static dev.cairn.query.Sample.get;
import static dev.cairn.query.Sample.note;
import static dev.cairn.query.Sample.refused;
import static dev.cairn.query.Sample.repository;
import static org.hamcrest.Matchers.contains;
import static org.hamcrest.Matchers.containsInAnyOrder;
import static org.hamcrest.Matchers.empty;
import static org.hamcrest.Matchers.is;
import static org.hamcrest.Matchers.not;
import static org.hamcrest.Matchers.nullValue;
import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.cairn.Api;
import dev.cairn.HttpTest;
import dev.cairn.People;
import io.quarkus.test.junit.QuarkusTest;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Reads, Targets: {@code about} several times and as a pattern, in lists, counts and history. */
@HttpTest
@QuarkusTest
class AboutTargetsTest {
  private static String notes() {
    var repository = repository("Sensor/a", "Sensor/b", "Sensor/c", "Sensor/b/d");
    commit(repository, note("n1", "Sensor/c") + "," + note("n2", "Sensor/a"));
    commit(repository, Sample.revise("Sensor/a", 1));
    commit(repository, note("n3", "Sensor/a") + "," + note("n4", "Sensor/b/d"));
    commit(repository, note("n5", "Note/n1"));
    return repository;
  }

  private static void assertSelects(String repository, String filter, String... notes) {
    var wanted = List.of(notes).stream().map(n -> "Note/" + n).toList();
    for (int limit : List.of(1, 2, 500)) {
      assertEquals(wanted, Sample.walk(repository + "/query?" + filter, "items.wref", limit));
    }
    get(repository + "/count?" + filter).statusCode(200).body("count", is(wanted.size()));
    var newestFirst = new ArrayList<>(wanted).reversed();
    for (int limit : List.of(1, 500)) {
      var versions = Sample.walk(repository + "/history?" + filter, "items.wref", limit);
      assertEquals(newestFirst, versions, "history " + filter);
    }
  }

  @Test
  void several_targets_select_the_assertions_about_any_of_them() {
    var repository = notes();
    assertSelects(repository, "about=Sensor/a&about=Sensor/c", "n1", "n2", "n3");
    assertSelects(repository, "about=Sensor/a@v1&about=Note/n1", "n2", "n5");
    assertSelects(repository, "about=Sensor/a@v1&about=Sensor/a@v2", "n2", "n3");
    assertSelects(repository, "about=Sensor/a@v1&about=Sensor/a", "n2", "n3");
    assertSelects(repository, "about=Sensor/a&about=Sensor/a", "n2", "n3");
    assertSelects(repository, "about=Sensor/none&about=Sensor/c", "n1");
    assertSelects(repository, "about=Sensor/a&about=Sensor/c&shape=Note", "n1", "n2", "n3");
  }

  @Test
  void a_pattern_selects_the_assertions_about_all_that_it_matches() {
    var repository = notes();
    assertSelects(repository, "about=Sensor/*", "n1", "n2", "n3");
    assertSelects(repository, "about=Sensor/**", "n1", "n2", "n3", "n4");
    assertSelects(repository, "about=*/%7Bn1,c%7D", "n1", "n5");
    assertSelects(repository, "about=Sensor/b/?&about=Note/n1", "n4", "n5");
    assertSelects(repository, "about=Sensor/b*&about=Sensor/c*", "n1");
    assertSelects(repository, "about=Sensor/d*&about=Sensor/b*");
    get(repository + "/query?about=Sensor/**&match=Note/n*&kind=thing").body("items", empty());
  }

  @Test
  void a_pattern_may_match_too_many_targets_to_list_them() {
    var repository = repository();
    var names = IntStream.range(0, 1_001).mapToObj("Sensor/n%04d"::formatted).toList();
    Sample.add(repository, names);
    Sample.add(repository, List.of("Sensor/other"));
    commit(
        repository,
        note("n1", "Sensor/n0000")
            + ","
            + note("n2", "Sensor/n1000")
            + ","
            + note("n3", "Sensor/other")
            + ",{'operation':'add','type':'set','name':'Set/s','members':['Sensor/n0500','Sensor/other']}");
    commit(repository, note("n4", "Set/s"));
    commit(repository, note("n5", "Note/n1"));
    assertSelects(repository, "about=Sensor/n*", "n1", "n2");
    assertSelects(repository, "about=Sensor/n*&about=Note/n1", "n1", "n2", "n5");
    assertSelects(repository, "about=Sensor/n*&about=Note/n1@v2", "n1", "n2");
    assertEquals(
        List.of("Note/n1", "Note/n2", "Note/n4"),
        Sample.walk(
            repository + "/query?about=Sensor/n*&resolveCollections=true", "items.wref", 2));
    get(repository + "/query?about=Sensor/n*&at=2").body("items", empty());
    var token = People.narrowedPat(repository, "repo:read", "Note/**", "Sensor/n0*");
    Api.as(token)
        .get(repository + "/query?about=Sensor/**")
        .then()
        .body("items.wref", contains("Note/n1"));
  }

  @Test
  void targets_that_are_hidden_are_as_good_as_none() {
    var repository = notes();
    var token = People.narrowedPat(repository, "repo:read", "Note/**", "Sensor/a");
    Api.as(token)
        .get(repository + "/query?about=Sensor/*")
        .then()
        .body("items.wref", contains("Note/n2", "Note/n3"));
    for (var about : List.of("about=Sensor/c", "about=Sensor/c*", "about=Sensor/c&about=S/x")) {
      Api.as(token)
          .get(repository + "/query?" + about)
          .then()
          .body("items", empty())
          .body("warnings", not(empty()));
    }
    var hidden = Api.as(token).get(repository + "/count?about=Sensor/c").asString();
    var missing = Api.as(token).get(repository + "/count?about=Sensor/x").asString();
    assertEquals(missing.replace("Sensor/x", "Sensor/c"), hidden);
  }

  @Test
  void an_empty_list_warns_of_each_name_and_pattern_that_stands_for_nothing() {
    var repository = notes();
    get(repository + "/query?about=Sensor/x&about=Sensor/z*&about=Sensor/b")
        .body("items", empty())
        .body("warnings", contains("There is no `Sensor/x`.", "Nothing matches `Sensor/z*`."));
    get(repository + "/count?about=Sensor/z*")
        .body("count", is(0))
        .body("warnings", contains("Nothing matches `Sensor/z*`."));
    Sample.warned(repository + "/history?about=Sensor/z*", "Nothing matches `Sensor/z*`.");
    for (var read : List.of("query", "count", "head")) {
      get(repository + "/" + read + "?about=Sensor/a@v9")
          .body("warnings", contains("There is no `Sensor/a@v9`."));
    }
    Sample.warned(repository + "/history?about=Sensor/a@v9", "There is no `Sensor/a@v9`.");
    get(repository + "/query?about=Sensor/x&about=Sensor/a").body("warnings", nullValue());
  }

  @Test
  void collections_that_contain_any_of_the_targets_are_resolved() {
    var repository = notes();
    commit(
        repository,
        "{'operation':'add','kind':'assertion','name':'Note/pair','data':{},"
            + "'about':{'pair':['Sensor/b','Sensor/c']}}");
    for (var about : List.of("about=Sensor/b&about=Sensor/a", "about=Sensor/%7Ba,b%7D")) {
      assertEquals(
          List.of("Note/n2", "Note/n3", "Note/pair"),
          Sample.wrefs(repository + "/query?resolveCollections=true&" + about));
    }
  }

  @Test
  void at_most_100_are_taken() {
    var repository = notes();
    var hundred =
        IntStream.range(0, 100)
            .mapToObj(i -> "about=Sensor/x" + i)
            .collect(Collectors.joining("&"));
    get(repository + "/query?" + hundred.replace("x99", "a")).body("items.size()", is(2));
    for (var route : List.of("/head?", "/query?", "/count?", "/history?")) {
      refused(repository + route + hundred + "&about=Sensor/a", "?about");
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"Sensor/*@v1", "cairn:demo/world/Country/*", "Sensor/%7B", "Sensor/a**", "*/%7D"})
  void a_pattern_has_no_version_and_no_repository(String pattern) {
    var repository = repository("Sensor/a");
    refused(repository + "/query?about=" + pattern, "?about");
    refused(repository + "/history?about=Sensor/a&about=" + pattern, "?about");
  }

  @Test
  void an_answer_with_targets_in_other_repositories_is_tagged_by_all_of_them() {
    var repository = notes();
    var others = List.of(repository("Sensor/a"), repository("Sensor/a"));
    var query = new StringBuilder(repository + "/query?about=Sensor/a");
    for (var other : others) {
      var name = other.substring(other.indexOf("/repos/") + 7);
      commit(
          repository,
          "{'operation':'add','kind':'assertion','name':'Note/%s','about':'cairn:%s/Sensor/a','data':{}}"
              .formatted("o" + others.indexOf(other), name));
      query.append("&about=cairn:").append(name).append("/Sensor/a");
    }
    get(query.toString())
        .body("items.wref", containsInAnyOrder("Note/n2", "Note/n3", "Note/o0", "Note/o1"));
    for (var other : others) {
      var tag = get(query.toString()).extract().header("ETag");
      Api.anonymous().header("If-None-Match", tag).get(query.toString()).then().statusCode(304);
      commit(other, Sample.thing("Sensor/b"));
      Api.anonymous().header("If-None-Match", tag).get(query.toString()).then().statusCode(200);
    }
  }

  @Test
  void at_most_5_of_them_are_patterns() {
    var repository = notes();
    var five =
        IntStream.range(0, 5)
            .mapToObj(i -> "about=Sensor/x" + i + "*")
            .collect(Collectors.joining("&"));
    get(repository + "/query?" + five.replace("x4", "a")).body("items.size()", is(2));
    refused(repository + "/query?" + five + "&about=Sensor/a*", "?about");
  }

  @Test
  @Tag("long")
  void at_most_20_000_collections_are_resolved() {
    var repository = repository("Sensor/a");
    for (int commit = 0; commit < 4; commit++) {
      addPairs(repository, 5_000 * commit, 5_000);
    }
    var many = repository + "/query?about=Sensor/a&resolveCollections=true";
    var one = repository + "/about/Sensor/a?resolveCollections=true";
    get(many).statusCode(200);
    get(one).statusCode(200);
    addPairs(repository, 20_000, 1);
    refused(many, "?resolveCollections");
    refused(one, "?resolveCollections");
  }

  private static void addPairs(String repository, int from, int count) {
    Sample.commit(
        repository,
        IntStream.range(0, count)
            .mapToObj(
                i ->
                    "{'operation':'add','name':'Sensor/p%d','data':{}},".formatted(from + i)
                        + "{'operation':'add','type':'pair','members':['Sensor/a','$%d']}"
                            .formatted(2 * i))
            .collect(Collectors.joining(",")));
  }
}
