package dev.cairn.query;

import static dev.cairn.Api.admin;
import static dev.cairn.Api.as;
import static org.hamcrest.Matchers.contains;
import static org.hamcrest.Matchers.empty;
import static org.hamcrest.Matchers.is;
import static org.hamcrest.Matchers.nullValue;
import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.cairn.Api;
import dev.cairn.HttpTest;
import dev.cairn.People;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.response.ValidatableResponse;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Reads: the references between entities. */
@HttpTest
@QuarkusTest
class RefsTest {
  private static String repository;

  /**
   * Room r; devices d1 and d2 in it; the set s of both; note n about d1; d3, retracted, in the
   * room.
   */
  @BeforeEach
  void content() {
    if (repository != null) {
      return;
    }
    repository = Sample.repository();
    Sample.commit(
        repository,
        "{'operation':'add','kind':'shape','name':'Room','data':{'fields':{}}},"
            + "{'operation':'add','kind':'shape','name':'Device','data':{'fields':"
            + "{'in?':'wref','near?':['wref'],'at?':{'place?':'wref'}}}},"
            + Sample.thing("Room/r")
            + ","
            + device("d1", "'in':'Room/r'")
            + ","
            + device("d2", "'near':['Device/d1','Room/r'],'at':{'place':'Room/r'}")
            + ","
            + device("d3", "'in':'Room/r'")
            + ",{'operation':'add','type':'set','name':'Set/s','members':['Device/d1','Device/d2']}");
    Sample.commit(repository, Sample.note("n", "Device/d1"));
    Sample.commit(repository, Sample.note("m", "Device/d1"));
    Sample.commit(repository, Sample.retract("Device/d3"));
  }

  private static String device(String name, String data) {
    return "{'operation':'add','name':'Device/%s','data':{%s}}".formatted(name, data);
  }

  private static ValidatableResponse refs(String wrefAndQuery) {
    return Sample.get(repository + "/refs/" + wrefAndQuery).statusCode(200);
  }

  @Test
  void inbound_are_the_assertions_newest_first_and_then_what_names_it_in_its_data() {
    refs("Device/d1")
        .body("items.wref", contains("Note/m", "Note/n", "Set/s", "Device/d2"))
        .body("items.kind", contains("assertion", "assertion", "thing", "thing"))
        .body("items.relation", contains("about", "about", "data", "data"))
        .body("items.pointer", contains(null, null, "/members/0", "/near/0"))
        .body("items.pinnedVersion", contains(1, 1, 1, 1))
        .body("nextCursor", nullValue());
  }

  @Test
  void one_entity_may_name_another_at_several_places_and_inactive_ones_do_not_count() {
    refs("Room/r?direction=inbound")
        .body("items.wref", contains("Device/d1", "Device/d2", "Device/d2"))
        .body("items.pointer", contains("/in", "/near/1", "/at/place"));
  }

  @Test
  void outbound_are_the_target_and_what_the_data_names() {
    refs("Note/n?direction=outbound")
        .body("items.wref", contains("Device/d1"))
        .body("items[0].relation", is("about"))
        .body("items[0].pointer", nullValue());
    refs("Device/d2?direction=outbound")
        .body("items.wref", contains("Device/d1", "Room/r", "Room/r"))
        .body("items.pointer", contains("/near/0", "/near/1", "/at/place"));
    refs("Set/s?direction=outbound").body("items.wref", contains("Device/d1", "Device/d2"));
    refs("Room/r?direction=outbound").body("items", empty());
    refs("Sensor").body("items", empty());
  }

  @Test
  void a_version_narrows_to_what_is_pinned_to_it_and_to_what_it_named() {
    var own = Sample.repository("Sensor/a", "Sensor/b");
    Sample.commit(
        own, "{'operation':'add','kind':'shape','name':'L','data':{'fields':{'to':'wref'}}}");
    Sample.commit(own, "{'operation':'add','name':'L/1','data':{'to':'Sensor/a'}}");
    Sample.commit(own, Sample.revise("Sensor/a", 2));
    Sample.commit(own, "{'operation':'revise','name':'L/1','data':{'to':'Sensor/b'}}");
    Sample.commit(own, "{'operation':'add','name':'L/2','data':{'to':'Sensor/a'}}");
    Sample.commit(own, Sample.note("n", "Sensor/a@v1"));
    assertEquals(List.of("Note/n", "L/2"), Sample.wrefs(own + "/refs/Sensor/a"));
    assertEquals(List.of("Note/n"), Sample.wrefs(own + "/refs/Sensor/a@v1"));
    assertEquals(List.of("L/2"), Sample.wrefs(own + "/refs/Sensor/a@HEAD"));
    assertEquals(List.of("Note/n", "L/2"), Sample.wrefs(own + "/refs/Sensor/a@ALL"));
    assertEquals(List.of("Sensor/b"), Sample.wrefs(own + "/refs/L/1?direction=outbound"));
    assertEquals(List.of("Sensor/a"), Sample.wrefs(own + "/refs/L/1@v1?direction=outbound"));
    Sample.missing(own + "/refs/L/1@v3");
  }

  @Test
  void names_are_those_of_today() {
    var own = Sample.repository("Sensor/a");
    Sample.commit(
        own, "{'operation':'add','kind':'shape','name':'L','data':{'fields':{'to':'wref'}}}");
    Sample.commit(own, "{'operation':'add','name':'L/1','data':{'to':'Sensor/a'}}");
    Sample.commit(own, Sample.rename("Sensor/a", "z"));
    Sample.commit(own, Sample.rename("Shape/L", "Link"));
    assertEquals(List.of("Sensor/z"), Sample.wrefs(own + "/refs/Link/1?direction=outbound"));
    assertEquals(List.of("Link/1"), Sample.wrefs(own + "/refs/Sensor/z"));
  }

  @Test
  void what_is_in_another_repository_reads_as_it_was_written() {
    var own = Sample.repository();
    var there = "cairn:" + repository.substring("/api/repos/".length()) + "/Room/r";
    Sample.commit(
        own, "{'operation':'add','kind':'shape','name':'L','data':{'fields':{'to':'wref'}}}");
    Sample.commit(own, "{'operation':'add','name':'L/1','data':{'to':'" + there + "'}}");
    Sample.commit(own, Sample.note("n", there));
    for (var wref : List.of("L/1", "Note/n")) {
      Sample.get(own + "/refs/" + wref + "?direction=outbound")
          .statusCode(200)
          .body("items.wref", contains(there))
          .body("items[0].kind", nullValue())
          .body("items[0].pinnedVersion", is(1));
    }
    refs("Room/r").body("items.wref", contains("Device/d1", "Device/d2", "Device/d2"));
  }

  @Test
  void pages_follow_each_other_over_both_parts() {
    for (int limit = 1; limit <= 5; limit++) {
      assertEquals(
          List.of("Note/m", "Note/n", "Set/s", "Device/d2"),
          Sample.walk(repository + "/refs/Device/d1", "items.wref", limit));
      assertEquals(
          List.of("/near/0", "/near/1", "/at/place"),
          Sample.walk(repository + "/refs/Device/d2?direction=outbound", "items.pointer", limit));
    }
  }

  @Test
  void a_cursor_belongs_to_wref_and_direction() {
    String cursor = refs("Device/d1?limit=1").extract().path("nextCursor");
    refs("Device/d1?cursor=" + cursor);
    for (var other : List.of("Device/d1?direction=outbound&", "Room/r?", "Device/d1@v1?")) {
      Sample.refused(repository + "/refs/" + other + "cursor=" + cursor, "?cursor");
    }
  }

  @Test
  void a_narrowed_reader_sees_matching_ends_only() {
    var devices = People.narrowedPat(repository, "repo:read", "Device/**");
    as(devices)
        .get(repository + "/refs/Device/d1")
        .then()
        .statusCode(200)
        .body("items.wref", contains("Device/d2"));
    as(devices)
        .get(repository + "/refs/Device/d2?direction=outbound")
        .then()
        .statusCode(200)
        .body("items.wref", contains("Device/d1"));
    as(devices).get(repository + "/refs/Room/r").then().statusCode(404);
    var own = Sample.repository();
    var there = "cairn:" + repository.substring("/api/repos/".length()) + "/Room/r";
    Sample.commit(own, Sample.note("n", there));
    as(People.narrowedPat(own, "repo:read", "Note/**"))
        .get(own + "/refs/Note/n?direction=outbound")
        .then()
        .statusCode(200)
        .body("items", empty());
  }

  @Test
  void what_is_not_there_and_what_is_wrong_is_said() {
    Sample.missing(repository + "/refs/Room/none");
    Sample.refused(repository + "/refs/Room/r?direction=up", "?direction");
    Sample.refused(repository + "/refs/Room/r?limit=501", "?limit");
    Sample.refused(repository + "/refs/Room/r?depth=1", "?depth");
    Sample.refused(repository + "/refs/cairn:demo/world/Country/DE", "?wref");
  }

  @Test
  void more_references_than_a_page_holds_come_whole() {
    var own = Sample.repository("Sensor/a");
    Sample.commit(
        own, "{'operation':'add','kind':'shape','name':'L','data':{'fields':{'to':['wref']}}}");
    var many = IntStream.range(0, 700).mapToObj(_ -> "'Sensor/a'").collect(Collectors.joining(","));
    Sample.commit(own, "{'operation':'add','name':'L/1','data':{'to':[" + many + "]}}");
    assertEquals(700, Sample.walk(own + "/refs/Sensor/a", "items.pointer", 500).size());
    assertEquals(
        IntStream.range(0, 700).mapToObj(i -> "/to/" + i).toList(),
        Sample.walk(own + "/refs/L/1?direction=outbound", "items.pointer", 333));
  }

  @Test
  void a_private_repository_shows_its_references_to_its_readers() {
    var own = Api.newRepository("private");
    admin().get(own + "/refs/Shape/Set").then().statusCode(200).body("items", empty());
  }
}
