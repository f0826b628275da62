package dev.cairn.query;

import static dev.cairn.query.Sample.commit;
import static dev.cairn.query.Sample.get;
import static dev.cairn.query.Sample.refused;
import static dev.cairn.query.Sample.repository;
import static org.hamcrest.Matchers.contains;
import static org.hamcrest.Matchers.equalTo;
import static org.hamcrest.Matchers.is;

import dev.cairn.HttpTest;
import io.quarkus.test.junit.QuarkusTest;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Reads: the parameter {@code fields} of lists. */
@HttpTest
@QuarkusTest
class FieldsTest {
  private static String sensors() {
    var repository = repository("Sensor/a");
    commit(
        repository,
        "{'operation':'add','name':'Sensor/b','data':{'n':1,'at':{'x':1,'y':2},'to':'z'}},"
            + "{'operation':'add','kind':'assertion','name':'Note/x','about':'Sensor/b',"
            + "'data':{'text':'t','more':1}},"
            + "{'operation':'add','kind':'assertion','name':'Note/y','about':'Note/x',"
            + "'data':{'text':'u','more':2}}");
    return repository;
  }

  @Test
  void head_and_query_show_only_the_paths_that_are_asked_for() {
    var repository = sensors();
    for (var route : List.of("/head", "/query")) {
      get(repository + route + "?shape=Sensor&fields=n,at.y,none")
          .statusCode(200)
          .body("items.wref", contains("Sensor/a", "Sensor/b"))
          .body("items.data", contains(Map.of(), Map.of("n", 1, "at", Map.of("y", 2))));
    }
  }

  @Test
  void assertions_their_children_and_versions_are_cut_too_but_not_the_target() {
    var repository = sensors();
    get(repository + "/about/Sensor/b?depth=2&fields=text")
        .body("target.data.n", is(1))
        .body("assertions.data", contains(Map.of("text", "t")))
        .body("assertions[0].children.data", contains(Map.of("text", "u")));
    get(repository + "/about?wref=Sensor/b&depth=2&fields=more")
        .body("items[0].target.data.n", is(1))
        .body("items[0].assertions.data", contains(Map.of("more", 1)))
        .body("items[0].assertions[0].children.data", contains(Map.of("more", 2)));
    get(repository + "/history?wref=Sensor/b&fields=to")
        .body("items.data", contains(Map.of("to", "z")));
    get(repository + "/shapes?match=Shape/Note&fields=description")
        .body("items.data", contains(Map.of()));
  }

  @Test
  void a_cursor_may_be_used_with_other_fields() {
    var repository = sensors();
    String cursor =
        get(repository + "/query?shape=Sensor&limit=1&fields=n").extract().path("nextCursor");
    get(repository + "/query?shape=Sensor&limit=1&fields=to&cursor=" + cursor)
        .statusCode(200)
        .body("items.data", equalTo(List.of(Map.of("to", "z"))));
  }

  @Test
  void a_path_without_a_name_is_refused_and_so_are_fields_where_there_is_no_data() {
    var repository = repository("Sensor/a");
    for (var route :
        List.of("/head?", "/query?", "/about/Sensor/a?", "/history?shape=Sensor&", "/shapes?")) {
      refused(repository + route + "fields=", "?fields");
      refused(repository + route + "fields=a..b", "?fields");
    }
    refused(repository + "/count?fields=a", "?fields");
  }
}
