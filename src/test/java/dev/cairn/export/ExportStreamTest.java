package dev.cairn.export;

import static dev.cairn.Api.admin;
import static dev.cairn.Api.commit;
import static dev.cairn.Api.newRepository;
import static dev.cairn.export.Exports.lines;
import static dev.cairn.export.Exports.stream;
import static dev.cairn.export.Exports.wrefs;
import static org.hamcrest.Matchers.is;
import static org.hamcrest.Matchers.not;
import static org.hamcrest.Matchers.nullValue;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.cairn.HttpTest;
import dev.cairn.platform.database.OwnConnections;
import io.quarkus.test.junit.QuarkusTest;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** docs/export.md: the lines, their order, and the stream. */
@HttpTest
@QuarkusTest
class ExportStreamTest {
  private final DataSource dataSource = OwnConnections.dataSource();

  private static final String SHAPE =
      "{'operation':'add','name':'Shape/Node','data':{'fields':{'to?':'wref','also?':'wref','n?':'any'}}}";

  private static String node(String name, String data) {
    return "{'operation':'add','name':'Node/%s','data':{%s}}".formatted(name, data);
  }

  private static String revise(String name, String data) {
    return "{'operation':'revise','name':'Node/%s','data':{%s}}".formatted(name, data);
  }

  private static String assertion(String name, String about) {
    return "{'operation':'add','name':'Node/%s','about':'%s','data':{}}".formatted(name, about);
  }

  private static String retract(String name) {
    return "{'operation':'retract','name':'Node/%s'}".formatted(name);
  }

  /** A repository with the shape and what the operations make, each by a commit of its own. */
  private static String repository(String... operations) {
    var repository = newRepository();
    commit(repository, SHAPE).statusCode(201);
    for (var operation : operations) {
      commit(repository, operation).statusCode(201);
    }
    return repository;
  }

  private static ObjectNode line(String repository, String wref) {
    return lines(stream(repository)).stream()
        .filter(line -> line.get("wref").textValue().equals(wref))
        .findFirst()
        .orElseThrow();
  }

  @Test
  void a_line_has_what_a_single_read_has_and_references_without_versions() {
    var repository = repository(node("a", "'n':1"), assertion("b", "Node/a"));
    commit(repository, revise("b", "'to':'Node/a','n':'Node/a@v1'"));
    var line = line(repository, "Node/b");
    var read = Exports.read(admin().get(repository + "/things/Node/b").asString());
    for (var same :
        List.of(
            "kind",
            "wref",
            "name",
            "shapeName",
            "version",
            "createdAt",
            "updatedAt",
            "author",
            "dataHash")) {
      assertEquals(read.get(same), line.get(same), same);
    }
    assertEquals(
        List.of(
            "kind",
            "wref",
            "name",
            "shapeName",
            "version",
            "data",
            "aboutWref",
            "createdAt",
            "updatedAt",
            "author",
            "dataHash"),
        line.properties().stream().map(Map.Entry::getKey).toList());
    assertEquals("Node/a", line.get("aboutWref").textValue());
    assertEquals("{\"to\":\"Node/a\",\"n\":\"Node/a@v1\"}", line.get("data").toString());
  }

  @Test
  void a_reference_into_another_repository_stands_as_it_was_written() {
    var other = repository(node("a", ""), revise("a", "'n':1"));
    var canonical = "cairn:" + other.substring("/api/repos/".length()) + "/Node/a";
    var repository =
        repository(node("x", "'to':'" + canonical + "@v1'"), assertion("y", canonical));
    assertEquals(canonical + "@v1", line(repository, "Node/x").get("data").get("to").textValue());
    assertEquals(canonical + "@v2", line(repository, "Node/y").get("aboutWref").textValue());
  }

  @Test
  void names_are_those_of_today() {
    var repository =
        repository(
            node("a", ""),
            node("b", "'to':'Node/a'"),
            "{'operation':'rename','name':'Node/a','newName':'z'}",
            "{'operation':'rename','name':'Shape/Node','newName':'Knot'}");
    var text = stream(repository);
    assertEquals(List.of("Shape/Knot", "Knot/z", "Knot/b"), wrefs(text));
    assertEquals("Knot/z", lines(text).get(2).get("data").get("to").textValue());
  }

  @Test
  void the_stream_is_ndjson_and_tells_its_sequence_number() {
    var repository = repository(node("a", ""));
    admin()
        .get(repository + "/export")
        .then()
        .statusCode(200)
        .contentType("application/x-ndjson")
        .header("X-Cairn-Repo-Seq", "2");
  }

  @Test
  void an_empty_repository_has_no_lines_and_inactive_entities_have_none() {
    assertEquals("", stream(newRepository()));
    var repository = repository(node("a", ""), node("b", ""), retract("a"));
    assertEquals(List.of("Shape/Node", "Node/b"), wrefs(stream(repository)));
  }

  @Test
  void shapes_come_first_then_things_collections_and_assertions_as_they_were_made() {
    var repository =
        repository(
            node("z", ""),
            assertion("y", "Node/z"),
            "{'operation':'add','type':'pair','name':'Pair/p','members':['Node/z','Node/z']}",
            node("x", ""),
            "{'operation':'add','name':'Shape/After','data':{'fields':{}}}",
            assertion("w", "Node/y"),
            node("a", ""));
    assertEquals(
        List.of(
            "Shape/Node",
            "Shape/After",
            "Node/z",
            "Node/x",
            "Node/a",
            "Pair/p",
            "Node/y",
            "Node/w"),
        wrefs(stream(repository)));
  }

  @Test
  void what_refers_to_a_later_entity_waits_for_it_and_so_does_what_depends_on_it() {
    var repository =
        repository(
            node("a", ""),
            node("b", "'to':'Node/a'"),
            node("c", ""),
            node("d", ""),
            revise("a", "'to':'Node/c','also':'Node/d'"),
            node("e", ""));
    assertEquals(
        List.of("Shape/Node", "Node/c", "Node/d", "Node/a", "Node/b", "Node/e"),
        wrefs(stream(repository)));
  }

  @Test
  void what_refers_to_a_collection_or_an_assertion_waits_for_it() {
    var repository =
        repository(
            node("a", ""),
            "{'operation':'add','name':'Set/s','data':{'members':['Node/a']}}",
            assertion("b", "Node/a"),
            node("c", "'to':'Set/s'"),
            node("d", "'to':'Node/b'"),
            "{'operation':'add','name':'Set/t','data':{'members':['Node/b']}}",
            assertion("e", "Node/d"),
            node("f", ""));
    assertEquals(
        List.of(
            "Shape/Node",
            "Node/a",
            "Node/f",
            "Set/s",
            "Node/c",
            "Node/b",
            "Node/d",
            "Set/t",
            "Node/e"),
        wrefs(stream(repository)));
  }

  @Test
  void what_goes_round_in_a_circle_stands_where_it_would_without() {
    var repository =
        repository(
            node("a", ""),
            node("b", "'to':'Node/a'"),
            node("c", "'to':'Node/b'"),
            revise("a", "'to':'Node/b'"),
            node("d", ""),
            node("self", ""),
            revise("self", "'to':'Node/self'"),
            node("e", ""),
            revise("d", "'to':'Node/e'"));
    assertEquals(
        List.of("Shape/Node", "Node/a", "Node/b", "Node/c", "Node/self", "Node/e", "Node/d"),
        wrefs(stream(repository)));
  }

  @Test
  void references_of_former_versions_and_to_inactive_entities_make_nothing_wait() {
    var repository =
        repository(
            node("a", ""),
            node("b", ""),
            revise("a", "'to':'Node/b'"),
            revise("a", ""),
            node("c", ""),
            node("d", ""),
            revise("c", "'to':'Node/d'"),
            retract("d"));
    assertEquals(List.of("Shape/Node", "Node/a", "Node/b", "Node/c"), wrefs(stream(repository)));
  }

  @Test
  void a_large_payload_and_many_that_wait_are_all_there() {
    var repository = repository(node("large", "'n':'" + "ü".repeat(500_000) + "'"));
    var names = IntStream.range(0, 450).mapToObj(i -> "t" + i).toList();
    commit(repository, String.join(",", names.stream().map(n -> node(n, "")).toList()))
        .statusCode(201);
    commit(repository, node("last", "")).statusCode(201);
    commit(
            repository,
            String.join(",", names.stream().map(n -> revise(n, "'to':'Node/last'")).toList()))
        .statusCode(201);
    var wrefs = wrefs(stream(repository));
    assertEquals(List.of("Shape/Node", "Node/large", "Node/last"), wrefs.subList(0, 3));
    assertEquals(names.stream().map(n -> "Node/" + n).toList(), wrefs.subList(3, wrefs.size()));
    assertEquals(500_000, line(repository, "Node/large").get("data").get("n").textValue().length());
  }

  @Test
  void at_shows_the_content_as_a_commit_left_it() {
    var repository =
        repository(
            node("a", "'n':1"),
            node("b", ""),
            revise("a", "'n':2,'to':'Node/b'"),
            retract("b"),
            "{'operation':'rename','name':'Node/a','newName':'z'}");
    var path = repository + "/export?at=";
    assertEquals("", Exports.text(admin().get(path + "0")));
    var third = admin().get(path + "3");
    third.then().header("X-Cairn-Repo-Seq", "3");
    assertEquals(List.of("Shape/Node", "Node/z", "Node/b"), wrefs(Exports.text(third)));
    assertEquals("{\"n\":1}", lines(Exports.text(third)).get(1).get("data").toString());
    assertEquals(1, lines(Exports.text(third)).get(1).get("version").intValue());
    var fourth = Exports.text(admin().get(path + "4"));
    assertEquals(List.of("Shape/Node", "Node/b", "Node/z"), wrefs(fourth));
    var commits = Exports.read(admin().get(repository + "/commits").asString()).get("items");
    var newest = commits.get(0).get("commitId").textValue();
    assertEquals(stream(repository), Exports.text(admin().get(path + newest)));
    assertEquals(stream(repository), Exports.text(admin().get(path + "6")));
    admin().get(path + "7").then().statusCode(404).body("code", is("NOT_FOUND"));
    admin().get(path + "x").then().statusCode(400).body("errors[0].pointer", is("?at"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "prefer=sync&prefer",
        "prefer=&prefer",
        "prefer=async&token=x&prefer",
        "token=x&at=1&at",
        "colour=red&colour"
      })
  void parameters_that_mean_nothing_are_refused(String parametersAndPlace) {
    int end = parametersAndPlace.lastIndexOf('&');
    admin()
        .get(newRepository() + "/export?" + parametersAndPlace.substring(0, end))
        .then()
        .statusCode(400)
        .body("code", is("VALIDATION_ERROR"))
        .body("errors[0].pointer", is("?" + parametersAndPlace.substring(end + 1)));
  }

  @Test
  void head_has_no_body_and_asks_for_no_export() {
    var repository = repository(node("a", ""));
    var head = admin().head(repository + "/export");
    head.then().statusCode(200).contentType("application/x-ndjson");
    assertEquals("", head.asString());
    commit(repository, revise("a", "'n':2"));
    for (var parameters : List.of("", "?at=1")) {
      var got = admin().get(repository + "/export" + parameters);
      var told = admin().head(repository + "/export" + parameters);
      for (var name :
          List.of("X-Cairn-Repo-Seq", "ETag", "Cache-Control", "Vary", "Content-Type")) {
        assertNotNull(got.header(name), name);
        assertEquals(got.header(name), told.header(name), name + parameters);
      }
    }
    admin().head(repository + "/export?at=99").then().statusCode(404);
    admin().head(repository + "/export?prefer=async").then().statusCode(405);
  }

  @Test
  void an_archived_repository_can_be_exported() {
    var repository = repository(node("a", ""));
    var before = stream(repository);
    admin().body(Map.of("archived", true)).patch(repository).then().statusCode(200);
    assertEquals(before, stream(repository));
    assertTrue(before.contains("Node/a"));
  }

  @Test
  void the_stream_has_a_tag_and_a_client_that_has_it_gets_304() {
    var repository = repository(node("a", "'n':1"));
    var url = repository + "/export";
    var tag = admin().get(url).then().statusCode(200).extract().header("ETag");
    admin().header("If-None-Match", tag).get(url).then().statusCode(304).header("ETag", tag);
    admin().header("If-None-Match", "*").get(url).then().statusCode(304).header("ETag", tag);
    admin().header("If-None-Match", "*").get(url + "?at=999999").then().statusCode(404);
    admin().header("If-None-Match", "*").head(url + "?at=999999").then().statusCode(404);
    var past = admin().get(url + "?at=1").then().statusCode(200).extract().header("ETag");
    commit(repository, revise("a", "'n':2"));
    admin().header("If-None-Match", tag).get(url).then().statusCode(200).header("ETag", not(tag));
    // What is past has the names of today.
    admin().header("If-None-Match", past).get(url + "?at=1").then().statusCode(200);
  }

  @Test
  void a_stream_that_fails_before_its_first_line_has_the_headers_of_an_error_alone()
      throws SQLException {
    var repository = repository(node("a", "'n':1"));
    try (var other = dataSource.getConnection()) {
      other.setAutoCommit(false);
      try (var statement = other.createStatement()) {
        statement.execute("lock table reference in access exclusive mode");
        admin()
            .get(repository + "/export")
            .then()
            .statusCode(503)
            .body("code", is("UNAVAILABLE"))
            .header("ETag", nullValue())
            .header("X-Cairn-Repo-Seq", nullValue())
            .header("Vary", is("Accept-Encoding"))
            .header("Cache-Control", is("no-store"));
      } finally {
        other.rollback();
        other.setAutoCommit(true);
      }
    }
  }
}
