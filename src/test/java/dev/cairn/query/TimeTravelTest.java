package dev.cairn.query;

import static dev.cairn.query.Sample.commit;
import static dev.cairn.query.Sample.get;
import static dev.cairn.query.Sample.missing;
import static dev.cairn.query.Sample.note;
import static dev.cairn.query.Sample.numbered;
import static dev.cairn.query.Sample.refused;
import static dev.cairn.query.Sample.rename;
import static dev.cairn.query.Sample.repository;
import static dev.cairn.query.Sample.retract;
import static dev.cairn.query.Sample.revise;
import static dev.cairn.query.Sample.thing;
import static dev.cairn.query.Sample.walk;
import static dev.cairn.query.Sample.wrefs;
import static org.hamcrest.Matchers.empty;
import static org.hamcrest.Matchers.is;
import static org.hamcrest.Matchers.nullValue;
import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.cairn.Api;
import dev.cairn.HttpTest;
import dev.cairn.People;
import io.quarkus.test.junit.QuarkusTest;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Reads: time travel. The shapes of {@link Sample} are of the first commit. */
@HttpTest
@QuarkusTest
class TimeTravelTest {
  private static final String SENSORS = "/head?shape=Sensor&at=";

  @Test
  void a_moment_has_what_its_commit_left_and_nothing_later() {
    var repository = repository("Sensor/a");
    commit(repository, revise("Sensor/a", 1) + "," + thing("Sensor/b"));
    commit(repository, revise("Sensor/a", 2));
    get(repository + SENSORS + 1).body("items", empty());
    get(repository + SENSORS + 2)
        .body("items.wref", is(List.of("Sensor/a")))
        .body("items[0].version", is(1))
        .body("items[0].data.n", nullValue());
    get(repository + SENSORS + 3)
        .body("items.wref", is(List.of("Sensor/a", "Sensor/b")))
        .body("items[0].version", is(2))
        .body("items[0].data.n", is(1))
        .body("items[1].version", is(1));
    get(repository + SENSORS + 4).body("items[0].data.n", is(2));
    for (int at = 0; at <= 4; at++) {
      int expected = List.of(0, 0, 1, 2, 2).get(at);
      get(repository + "/count?shape=Sensor&at=" + at).body("count", is(expected));
    }
  }

  @Test
  void the_empty_repository_is_before_the_first_commit() {
    var repository = repository("Sensor/a");
    get(repository + "/head?at=0").body("items", empty());
    get(repository + "/count?at=0").body("count", is(0));
    missing(repository + "/things/Sensor/a?at=0");
    get(repository + "/things/Shape/Pair?at=0").statusCode(200).body("version", is(1));
    get(Api.newRepository() + "/query?at=0").statusCode(200).body("items", empty());
  }

  @Test
  void a_commit_id_and_its_number_are_the_same_moment() {
    var repository = repository("Sensor/a");
    String commitId =
        Api.commit(repository, revise("Sensor/a", 7)).statusCode(201).extract().path("commitId");
    commit(repository, revise("Sensor/a", 8));
    for (var read : List.of("/head?at=", "/query?kind=thing&at=", "/things/Sensor/a?at=")) {
      assertEquals(bytes(repository + read + 3), bytes(repository + read + commitId));
    }
  }

  @Test
  void the_newest_moment_is_the_present_byte_for_byte() {
    var repository = repository("Sensor/a", "Sensor/b", "Sensor/c");
    commit(repository, note("x", "Sensor/a") + "," + revise("Sensor/b", 1));
    commit(repository, retract("Sensor/c") + "," + rename("Sensor/a", "z"));
    for (var read :
        List.of(
            "/head?limit=5",
            "/head?includeInactive=true",
            "/query?about=Sensor/z",
            "/query?kind=thing&match=Sensor/*",
            "/count?kind=thing",
            "/things/Sensor/b",
            "/things/Sensor/c",
            "/things/Note/x",
            "/things/Shape/Set")) {
      var then = read + (read.contains("?") ? "&" : "?") + "at=4";
      assertEquals(bytes(repository + read), bytes(repository + then), read);
    }
  }

  @Test
  void an_entity_is_active_as_it_was() {
    var repository = repository("Sensor/a");
    commit(repository, retract("Sensor/a"));
    commit(repository, "{'operation':'revise','name':'Sensor/a','active':true}");
    assertEquals(List.of("Sensor/a"), wrefs(repository + SENSORS + 2));
    assertEquals(List.of(), wrefs(repository + SENSORS + 3));
    get(repository + SENSORS + "3&includeInactive=true").body("items[0].active", is(false));
    assertEquals(List.of("Sensor/a"), wrefs(repository + SENSORS + 4));
    get(repository + "/things/Sensor/a?at=3").body("active", is(false)).body("version", is(2));
  }

  @Test
  void of_two_versions_in_one_commit_the_later_one_stayed() {
    var repository = repository();
    commit(repository, thing("Sensor/a") + "," + revise("Sensor/a", 1));
    commit(repository, revise("Sensor/a", 2) + "," + revise("Sensor/a", 3));
    commit(repository, revise("Sensor/a", 4));
    get(repository + SENSORS + 2).body("items[0].version", is(2)).body("items[0].data.n", is(1));
    get(repository + SENSORS + 3).body("items[0].version", is(4)).body("items[0].data.n", is(3));
  }

  @Test
  void names_are_those_of_today() {
    var repository = repository("Sensor/a");
    commit(repository, note("n", "Sensor/a"));
    commit(repository, rename("Sensor/a", "b"));
    assertEquals(List.of("Sensor/b"), wrefs(repository + SENSORS + 2));
    get(repository + "/query?about=Sensor/b&at=3").body("items[0].aboutWref", is("Sensor/b@v1"));
    missing(repository + "/things/Sensor/a?at=2");
    get(repository + "/things/Sensor/b?at=2").statusCode(200);
  }

  @Test
  void one_entity_says_who_made_the_version_of_then() {
    var repository = repository("Sensor/a");
    Api.submit(repository, "{'author':'Somebody','operations':[" + revise("Sensor/a", 1) + "]}")
        .statusCode(201);
    commit(repository, revise("Sensor/a", 2));
    get(repository + "/things/Sensor/a?at=3").body("version", is(2)).body("author", is("Somebody"));
    assertEquals(
        bytes(repository + "/things/Sensor/a?version=2"),
        bytes(repository + "/things/Sensor/a?at=3"));
    assertEquals(
        bytes(repository + "/things/Sensor/a?version=1"),
        bytes(repository + "/things/Sensor/a?at=2"));
  }

  @Test
  void assertions_are_those_of_then_also_about_collections_that_were_active() {
    var repository = repository("Sensor/a", "Sensor/b");
    commit(repository, "{'operation':'add','name':'Set/s','type':'set','members':['Sensor/a']}");
    commit(repository, note("direct", "Sensor/a") + "," + note("by-set", "Set/s"));
    commit(repository, revise("Sensor/a", 1));
    commit(repository, retract("Set/s"));
    commit(repository, note("later", "Sensor/a"));
    var about = repository + "/query?about=Sensor/a&at=";
    assertEquals(List.of(), wrefs(about + 3));
    assertEquals(List.of("Note/direct"), wrefs(about + 4));
    assertEquals(List.of("Note/direct", "Note/later"), wrefs(about + 7));
    var resolved = repository + "/query?about=Sensor/a&resolveCollections=true&at=";
    assertEquals(List.of("Note/by-set", "Note/direct"), wrefs(resolved + 5));
    assertEquals(List.of("Note/direct"), wrefs(resolved + 6));
    var current = repository + "/query?about=Sensor/a@HEAD&at=";
    assertEquals(List.of("Note/direct"), wrefs(current + 4));
    assertEquals(List.of(), wrefs(current + 5));
    assertEquals(List.of("Note/later"), wrefs(current + 7));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"", "x", "-1", "+1", "01", "1.0", "0x1", "ABCDEF0123456789", "abcdef012345678"})
  void anything_else_is_no_moment(String at) {
    var repository = repository("Sensor/a");
    for (var read : List.of("/head?at=", "/query?at=", "/count?at=", "/things/Sensor/a?at=")) {
      refused(repository + read + Sample.encoded(at), "?at");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"3", "999999999999999999", "1000000000000000000000", "0000000000000001"})
  void a_commit_that_there_is_not_is_not_found(String at) {
    var repository = repository("Sensor/a");
    for (var read : List.of("/head?at=", "/query?at=", "/count?at=", "/things/Sensor/a?at=")) {
      missing(repository + read + at);
    }
  }

  @Test
  void a_commit_of_another_repository_is_not_found() {
    var other = Api.newRepository();
    String commitId =
        Api.commit(other, "{'operation':'add','kind':'shape','name':'S','data':{'fields':{}}}")
            .extract()
            .path("commitId");
    missing(repository() + "/head?at=" + commitId);
  }

  @Test
  void a_version_beside_a_moment_is_refused() {
    var repository = repository("Sensor/a");
    refused(repository + "/things/Sensor/a?at=2&version=1", "?at");
    refused(repository + "/things/Sensor/a@v1?at=2", "?at");
    refused(repository + "/things/Sensor/a@HEAD?at=2", "?at");
  }

  @Test
  void other_reads_know_no_moment() {
    var repository = repository("Sensor/a");
    for (var read :
        List.of("/about/Sensor/a?", "/history?wref=Sensor/a&", "/resolve/Sensor/a?", "/shapes?")) {
      refused(repository + read + "at=2", "?at");
    }
  }

  @Test
  void pages_of_a_moment_are_the_whole_of_it_whatever_came_after() {
    var repository = repository();
    var names = numbered(40);
    Sample.add(repository, names.subList(0, 25));
    Sample.add(repository, names.subList(25, 40));
    for (int limit : List.of(1, 7, 500)) {
      var url = repository + SENSORS;
      assertEquals(names.subList(0, 25), walk(url + 2, "items.wref", limit));
      assertEquals(names, walk(url + 3, "items.wref", limit));
    }
  }

  @Test
  void a_cursor_belongs_to_its_moment() {
    var repository = repository("Sensor/a", "Sensor/b");
    commit(repository, revise("Sensor/a", 1));
    String cursor = get(repository + SENSORS + "2&limit=1").extract().path("nextCursor");
    get(repository + SENSORS + "2&limit=1&cursor=" + cursor).statusCode(200);
    refused(repository + SENSORS + "3&limit=1&cursor=" + cursor, "?cursor");
    refused(repository + "/head?shape=Sensor&limit=1&cursor=" + cursor, "?cursor");
  }

  @Test
  void a_narrowed_token_sees_no_more_of_the_past() {
    var repository = repository("Sensor/a", "Sensor/b", "Note/c");
    commit(repository, revise("Sensor/a", 1));
    var token = People.narrowedPat(repository, "repo:read", "Sensor/a");
    Api.as(token)
        .get(repository + "/head?at=2")
        .then()
        .body("items.wref", is(List.of("Sensor/a", "Shape/Sensor")));
    Api.as(token).get(repository + "/count?at=2").then().body("count", is(2));
    Api.as(token).get(repository + "/things/Sensor/b?at=2").then().statusCode(404);
    Api.as(token).get(repository + "/things/Sensor/a?at=2").then().body("version", is(1));
  }

  private static String bytes(String url) {
    return get(url).statusCode(200).extract().asString();
  }
}
