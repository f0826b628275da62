package dev.cairn.query;

import static dev.cairn.Api.anonymous;
import static dev.cairn.query.Sample.commit;
import static dev.cairn.query.Sample.encoded;
import static dev.cairn.query.Sample.get;
import static dev.cairn.query.Sample.missing;
import static dev.cairn.query.Sample.note;
import static dev.cairn.query.Sample.refused;
import static dev.cairn.query.Sample.rename;
import static dev.cairn.query.Sample.repository;
import static dev.cairn.query.Sample.retract;
import static dev.cairn.query.Sample.revise;
import static org.hamcrest.Matchers.contains;
import static org.hamcrest.Matchers.empty;
import static org.hamcrest.Matchers.greaterThan;
import static org.hamcrest.Matchers.hasSize;
import static org.hamcrest.Matchers.is;
import static org.hamcrest.Matchers.matchesPattern;
import static org.hamcrest.Matchers.nullValue;
import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.cairn.Api;
import dev.cairn.HttpTest;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.response.ValidatableResponse;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Reads: single things, resolve, batch, shapes. */
@HttpTest
@QuarkusTest
class ThingTest {
  private static ValidatableResponse batch(String repository, String body) {
    return anonymous().body(body.replace('\'', '"')).post(repository + "/things/batch").then();
  }

  private static ValidatableResponse batchRefused(String repository, String body, String pointer) {
    return batch(repository, body)
        .statusCode(400)
        .body("code", is("VALIDATION_ERROR"))
        .body("errors[0].pointer", is(pointer));
  }

  private static String inner(String repository) {
    return repository.substring("/api/repos/".length());
  }

  @Test
  void a_single_thing_shows_all_that_is_known_of_it() {
    var repository = repository("Sensor/a");
    commit(repository, revise("Sensor/a", 5));
    long before = get(repository + "/things/Sensor/a?version=1").extract().<Long>path("updatedAt");
    get(repository + "/things/Sensor/a")
        .statusCode(200)
        .body("wref", is("Sensor/a"))
        .body("name", is("a"))
        .body("shapeName", is("Sensor"))
        .body("kind", is("thing"))
        .body("version", is(2))
        .body("data.n", is(5))
        .body("active", is(true))
        .body("canonicalWref", is("cairn:" + inner(repository) + "/Sensor/a"))
        .body("shapeVersion", is(1))
        .body("dataHash", matchesPattern("[0-9a-f]{64}"))
        .body("createdAt", is(before))
        .body("updatedAt", greaterThan(before - 1))
        .body("author", is("Administrator"))
        .body("aboutWref", nullValue())
        .body("keySet().size()", is(13));
  }

  @Test
  void the_path_takes_encoded_and_plain_slashes_and_modifiers() {
    var repository = repository("Sensor/a/b/c");
    commit(repository, revise("Sensor/a/b/c", 2));
    for (var path :
        List.of(
            "Sensor/a/b/c",
            "Sensor%2Fa%2Fb%2Fc",
            "Sensor/a%2fb/c",
            "Sensor/a/b/c@HEAD",
            "Sensor%2Fa%2Fb%2Fc%40HEAD",
            "Sensor/a/b/c@v2",
            "Sensor%2Fa/b%2Fc%40v2")) {
      for (var route : List.of("/things/", "/resolve/")) {
        get(repository + route + path)
            .statusCode(200)
            .body("wref", is("Sensor/a/b/c"))
            .body("version", is(2));
      }
    }
    get(repository + "/things/Sensor/a/b/c@v1").body("version", is(1)).body("data.n", nullValue());
    get(repository + "/resolve/Sensor%2Fa%2Fb%2Fc%40v1").body("version", is(1));
    get(repository + "/things/" + encoded("cairn:" + inner(repository) + "/Sensor/a/b/c@v1"))
        .body("version", is(1));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "é", "中/文", "😀", "a+b", "a&b=c", "x;y", "a:b", "(1)", "a,b", "[x]", "~", "$", "!"
      })
  void a_name_of_any_characters_is_found_by_its_encoded_wref(String name) {
    var repository = repository("Sensor/" + name);
    get(repository + "/things/" + encoded("Sensor/" + name)).statusCode(200).body("name", is(name));
    get(repository + "/resolve/Sensor/" + encoded(name)).body("wref", is("Sensor/" + name));
    get(repository + "/about/" + encoded("Sensor/" + name)).body("target.name", is(name));
    get(repository + "/history?wref=" + encoded("Sensor/" + name)).body("items", hasSize(1));
  }

  @Test
  void a_semicolon_in_a_path_belongs_to_the_name_it_stands_in() {
    var names =
        List.of("a", "a;b", "a;b=c", "a;jsessionid=1", ";a", "a;", "a;b/c;d", "a+b;c", "a=b");
    var repository =
        repository(names.stream().map(name -> "Sensor/" + name).toArray(String[]::new));
    for (var name : names) {
      for (var path :
          List.of(name, name.replace(";", "%3B"), name.replace(";", "%3b").replace("/", "%2F"))) {
        for (var route : List.of("/things/", "/resolve/")) {
          get(repository + route + "Sensor/" + path).body("wref", is("Sensor/" + name));
          get(repository + route + "Sensor%2F" + path).body("wref", is("Sensor/" + name));
        }
        get(repository + "/about/Sensor/" + path + "?limit=1").body("target.name", is(name));
        get(repository + "/things/Sensor/" + path + "?version=1").body("name", is(name));
      }
    }
    missing(repository + "/things/Sensor/a;x");
    refused(repository + "/things/Sensor/a%253Bb", "?wref");
    missing(repository + "/things/Sensor/a%2Bb");
  }

  @Test
  void a_semicolon_in_a_query_separates_no_parameters() {
    var repository = repository("Sensor/a;limit=1", "Sensor/b");
    for (var semicolon : List.of(";", "%3B")) {
      get(repository + "/query?match=Sensor/a" + semicolon + "limit=1")
          .body("items.wref", is(List.of("Sensor/a;limit=1")));
    }
  }

  @Test
  void a_semicolon_makes_another_name_of_every_part_of_a_path() {
    var repository = repository("Sensor/a");
    var hidden = Api.newRepository("private");
    for (var path :
        List.of(
            repository + ";x/head",
            repository + ";/head",
            repository + "/head;x",
            repository + "/commits;x/0123456789abcdef",
            hidden + ";/head")) {
      get(path).statusCode(404);
    }
    for (var path :
        List.of(
            repository.replace("/api/", "/api;x=1/") + "/head",
            repository + ";/../.." + hidden.substring("/api/repos".length()) + "/head")) {
      get(path).statusCode(400).body("code", is("VALIDATION_ERROR"));
    }
    refused(repository + "/shapes/Sensor;x", "?name");
    refused(repository + "/commits/0123456789abcdef;x", "?commitId");
    get(repository + "/shapes/Sensor").statusCode(200);
  }

  @Test
  void the_version_is_a_parameter_or_a_modifier() {
    var repository = repository("Sensor/a");
    commit(repository, revise("Sensor/a", 2));
    commit(repository, revise("Sensor/a", 3));
    var thing = repository + "/things/Sensor/a";
    get(thing + "?version=1").body("version", is(1)).body("data.n", nullValue());
    get(thing + "?version=2").body("version", is(2)).body("data.n", is(2));
    get(thing + "@v2?version=2").body("version", is(2));
    get(thing + "@v3").body("data.n", is(3));
    refused(thing + "@v2?version=1", "?version");
    refused(thing + "@HEAD?version=3", "?version");
    missing(thing + "?version=4");
    missing(thing + "@v4");
    missing(thing + "?version=2147483647");
    missing(repository + "/things/Sensor/none?version=1");
  }

  @ParameterizedTest
  @ValueSource(strings = {"0", "-1", "x", "", "1.0", "2147483648", "v1"})
  void a_version_that_is_none_is_refused(String version) {
    var repository = repository("Sensor/a");
    refused(repository + "/things/Sensor/a?version=" + version, "?version");
    refused(repository + "/shapes/Sensor?version=" + version, "?version");
  }

  @Test
  void all_versions_at_once_are_for_history() {
    var repository = repository("Sensor/a");
    refused(repository + "/things/Sensor/a@ALL", "?version");
    refused(repository + "/resolve/Sensor/a@ALL", "?wref");
  }

  @ParameterizedTest
  @ValueSource(strings = {"Sensor/none", "None/a", "None", "Sensor/a/b", "sensor/a", "Sensor/A"})
  void what_does_not_exist_is_not_found(String wref) {
    var repository = repository("Sensor/a");
    missing(repository + "/things/" + wref);
    missing(repository + "/resolve/" + wref);
    missing(repository + "/about/" + wref);
    missing(repository + "/history?wref=" + wref);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "9x",
        "Sensor%2Fa*",
        "Sensor%2Fa@",
        "Sensor%2Fa@v0",
        "Sensor%2Fa@v01",
        "Sensor%2Fa@head",
        "Sensor%2Fa@v1@v1",
        "cairn:x",
        "Sensor%2Fa%20b",
        "Sensor%2Fa%2525"
      })
  void a_wref_that_is_none_is_refused(String wref) {
    var repository = repository("Sensor/a");
    refused(repository + "/things/" + wref, "?wref");
    refused(repository + "/resolve/" + wref, "?wref");
    refused(repository + "/about/" + wref, "?wref");
    refused(repository + "/history?wref=" + wref, "?wref");
  }

  @Test
  void a_wref_of_another_repository_is_read_there() {
    var repository = repository("Sensor/a");
    refused(repository + "/things/cairn:demo/world/Country/DE", "?wref");
    refused(repository + "/resolve/cairn:demo/world/Country/DE", "?wref");
  }

  @Test
  void an_inactive_thing_is_read_singly_and_says_so() {
    var repository = repository("Sensor/a");
    commit(repository, retract("Sensor/a"));
    get(repository + "/things/Sensor/a").body("active", is(false)).body("version", is(2));
    get(repository + "/things/Sensor/a@v1").body("active", is(true));
    get(repository + "/resolve/Sensor/a").body("active", is(false));
    get(repository + "/resolve/Sensor/a@v1").body("active", is(true));
    batch(repository, "{'wrefs':['Sensor/a']}").body("items[0].active", is(false));
  }

  @Test
  void a_renamed_thing_is_found_by_its_new_name_alone_at_every_version() {
    var repository = repository("Sensor/a");
    commit(repository, revise("Sensor/a", 2));
    commit(repository, rename("Sensor/a", "z"));
    missing(repository + "/things/Sensor/a");
    get(repository + "/things/Sensor/z@v1").body("wref", is("Sensor/z"));
    get(repository + "/things/Sensor/z").body("version", is(2));
  }

  @Test
  void an_assertion_shows_what_it_is_about() {
    var repository = repository("Sensor/a");
    commit(repository, note("x", "Sensor/a"));
    get(repository + "/things/Note/x")
        .body("kind", is("assertion"))
        .body("aboutWref", is("Sensor/a@v1"));
    commit(repository, rename("Sensor/a", "z"));
    get(repository + "/things/Note/x").body("aboutWref", is("Sensor/z@v1"));
  }

  @Test
  void resolve_answers_where_a_wref_leads() {
    var repository = repository("Sensor/a");
    get(repository + "/resolve/Sensor/a")
        .statusCode(200)
        .body("wref", is("Sensor/a"))
        .body("version", is(1))
        .body("kind", is("thing"))
        .body("active", is(true))
        .body("canonicalWref", is("cairn:" + inner(repository) + "/Sensor/a"))
        .body("keySet().size()", is(5));
    get(repository + "/resolve/Sensor").body("wref", is("Shape/Sensor")).body("kind", is("shape"));
    missing(repository + "/resolve/Sensor/a@v2");
  }

  @Test
  void batch_keeps_order_and_duplicates_and_lists_what_is_missing() {
    var repository = repository("Sensor/a", "Sensor/b");
    batch(
            repository,
            "{'wrefs':['Sensor/b','Sensor/none','Sensor/a','Sensor/b','None/x','Sensor/none',"
                + "'Sensor']}")
        .statusCode(200)
        .body("items.wref", contains("Sensor/b", "Sensor/a", "Sensor/b", "Shape/Sensor"))
        .body("missing", contains("Sensor/none", "None/x", "Sensor/none"))
        .body("keySet().size()", is(2));
    batch(repository, "{'wrefs':['Sensor/a']}").body("missing", empty());
    batch(repository, "{'wrefs':['None/a']}").body("items", empty());
  }

  @Test
  void batch_gives_the_same_items_as_single_reads() {
    var repository = repository("Sensor/a");
    commit(repository, revise("Sensor/a", 2) + "," + note("x", "Sensor/a"));
    for (var wref : List.of("Sensor/a", "Sensor/a@v1", "Sensor/a@HEAD", "Note/x", "Sensor")) {
      Map<String, Object> single =
          get(repository + "/things/" + wref).statusCode(200).extract().path("$");
      Map<String, Object> item =
          batch(repository, "{'wrefs':['" + wref + "']}").extract().path("items[0]");
      assertEquals(single, item, wref);
    }
  }

  @Test
  void batch_can_pin_one_version_for_all() {
    var repository = repository("Sensor/a", "Sensor/b");
    commit(repository, revise("Sensor/a", 2));
    batch(repository, "{'wrefs':['Sensor/a','Sensor/b','Sensor/a@v2'],'version':2}")
        .statusCode(200)
        .body("items.version", contains(2, 2))
        .body("missing", contains("Sensor/b"));
    batch(repository, "{'wrefs':['Sensor/a@v1','Sensor/a@v2','Sensor/a@v3','Sensor/a']}")
        .body("items.version", contains(1, 2, 2))
        .body("missing", contains("Sensor/a@v3"));
    batchRefused(repository, "{'wrefs':['Sensor/b','Sensor/a@v1'],'version':2}", "/wrefs/1");
    batchRefused(repository, "{'wrefs':['Sensor/a@HEAD'],'version':1}", "/wrefs/0");
    batchRefused(repository, "{'wrefs':['Sensor/a@ALL']}", "/wrefs/0");
  }

  @Test
  void batch_takes_1_to_500_wrefs() {
    var repository = repository("Sensor/a");
    batchRefused(repository, "{'wrefs':[]}", "/wrefs");
    batchRefused(repository, "{}", "/wrefs");
    batch(repository, wrefs(500)).statusCode(200).body("items", hasSize(500));
    batchRefused(repository, wrefs(501), "/wrefs");
  }

  private static String wrefs(int count) {
    return Collections.nCopies(count, "'Sensor/a'").stream()
        .collect(Collectors.joining(",", "{'wrefs':[", "]}"));
  }

  @Test
  void batch_points_at_the_wref_that_is_none() {
    var repository = repository("Sensor/a");
    batchRefused(repository, "{'wrefs':['Sensor/a','Sensor/']}", "/wrefs/1");
    batchRefused(repository, "{'wrefs':['']}", "/wrefs/0");
    batchRefused(repository, "{'wrefs':['cairn:demo/world/Country/DE']}", "/wrefs/0");
    batchRefused(repository, "{'wrefs':['Sensor/a'],'version':0}", "/version");
  }

  @Test
  void a_shape_named_batch_is_read_like_any_other() {
    var repository = Api.newRepository();
    commit(repository, "{'operation':'add','kind':'shape','name':'batch','data':{'fields':{}}}");
    get(repository + "/things/batch").statusCode(200).body("wref", is("Shape/batch"));
  }

  @Test
  void shapes_lists_the_repositorys_own_in_order_and_pages() {
    var repository = repository("Sensor/a");
    get(repository + "/shapes")
        .statusCode(200)
        .body("items.wref", contains("Shape/Note", "Shape/Sensor"))
        .body("items.kind", contains("shape", "shape"))
        .body("items[1].data.fields", is(Map.of("n?", "number")));
    assertEquals(
        List.of("Shape/Note", "Shape/Sensor"),
        Sample.walk(repository + "/shapes", "items.wref", 1));
    get(repository + "/shapes?match=Shape/S*").body("items.name", contains("Sensor"));
    commit(repository, "{'operation':'retract','kind':'shape','name':'Note'}");
    get(repository + "/shapes").body("items.name", contains("Sensor"));
    get(repository + "/shapes?includeInactive=true").body("items.active", contains(false, true));
  }

  @Test
  void a_shape_is_read_by_its_bare_or_whole_name_and_version_built_in_ones_too() {
    var repository = repository();
    commit(
        repository,
        "{'operation':'revise','kind':'shape','name':'Sensor','data':{'fields':{'m':'string'}}}");
    get(repository + "/shapes/Sensor").body("version", is(2)).body("data.fields.m", is("string"));
    get(repository + "/shapes/Shape%2FSensor").body("version", is(2));
    get(repository + "/shapes/Sensor?version=1").body("data.fields", is(Map.of("n?", "number")));
    get(repository + "/shapes/Sensor@v1").body("version", is(1));
    get(repository + "/shapes/Pair").statusCode(200).body("data.fields.first", is("wref"));
    missing(repository + "/shapes/None");
    missing(repository + "/shapes/Sensor?version=3");
    refused(repository + "/shapes/9", "?name");
    refused(repository + "/shapes/Sensor%2Fa", "?name");
  }
}
