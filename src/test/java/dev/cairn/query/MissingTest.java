package dev.cairn.query;

import static dev.cairn.query.Sample.commit;
import static dev.cairn.query.Sample.get;
import static dev.cairn.query.Sample.note;
import static dev.cairn.query.Sample.refused;
import static dev.cairn.query.Sample.repository;
import static org.hamcrest.Matchers.contains;
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

/** Reads: {@code missing=about:<Shape>}, what no assertion of a shape is about. */
@HttpTest
@QuarkusTest
class MissingTest {
  private static final String REVIEW =
      "{'operation':'add','kind':'shape','name':'Review','data':{'fields':{}}}";

  private static void assertSelects(String repository, String filter, String... expected) {
    var wanted = List.of(expected);
    for (int limit : List.of(1, 500)) {
      assertEquals(wanted, Sample.walk(repository + "/query?" + filter, "items.wref", limit));
    }
    assertEquals(wanted, Sample.wrefs(repository + "/head?" + filter));
    get(repository + "/count?" + filter).statusCode(200).body("count", is(wanted.size()));
  }

  @Test
  void only_active_assertions_of_that_shape_count() {
    var repository = repository("Sensor/a", "Sensor/b", "Sensor/c");
    commit(repository, REVIEW);
    commit(
        repository,
        note("n1", "Sensor/a")
            + ","
            + note("n2", "Sensor/b")
            + ",{'operation':'add','kind':'assertion','name':'Review/r','about':'Sensor/b','data':{}}");
    assertSelects(repository, "shape=Sensor&missing=about:Note", "Sensor/c");
    assertSelects(repository, "shape=Sensor&missing=about:Shape/Review", "Sensor/a", "Sensor/c");
    assertSelects(
        repository, "kind=assertion&missing=about:Note", "Note/n1", "Note/n2", "Review/r");
    commit(repository, Sample.retract("Note/n1"));
    assertSelects(repository, "shape=Sensor&missing=about:Note", "Sensor/a", "Sensor/c");
    assertSelects(repository, "shape=Sensor&missing=about:Note&at=4", "Sensor/c");
    assertSelects(
        repository, "shape=Sensor&missing=about:Note&at=2", "Sensor/a", "Sensor/b", "Sensor/c");
    commit(repository, Sample.retract("Sensor/c"));
    assertSelects(repository, "shape=Sensor&missing=about:Note", "Sensor/a");
    assertSelects(
        repository, "shape=Sensor&missing=about:Note&includeInactive=true", "Sensor/a", "Sensor/c");
    assertSelects(repository, "about=Sensor/b&missing=about:Note", "Note/n2", "Review/r");
  }

  @Test
  void every_version_counts_and_so_does_the_name_of_today() {
    var repository = repository("Sensor/a", "Sensor/b");
    commit(repository, note("n1", "Sensor/a"));
    commit(repository, Sample.revise("Sensor/a", 1) + "," + Sample.rename("Shape/Note", "Remark"));
    assertSelects(repository, "shape=Sensor&missing=about:Remark", "Sensor/b");
  }

  @Test
  void assertions_of_other_repositories_do_not_count() {
    var repository = repository("Sensor/a");
    var other = repository("Sensor/a");
    var name = repository.substring(repository.indexOf("/repos/") + 7);
    commit(
        other,
        "{'operation':'add','kind':'assertion','name':'Note/n','about':'cairn:%s/Sensor/a','data':{}}"
            .formatted(name));
    assertSelects(repository, "shape=Sensor&missing=about:Note", "Sensor/a");
    assertSelects(other, "shape=Sensor&missing=about:Note", "Sensor/a");
  }

  @Test
  void an_assertion_that_the_token_may_not_read_counts_as_missing() {
    var repository = repository("Sensor/a", "Sensor/b");
    commit(repository, note("seen", "Sensor/a") + "," + note("hidden", "Sensor/b"));
    var token = People.narrowedPat(repository, "repo:read", "Sensor/**", "Note/seen");
    Api.as(token)
        .get(repository + "/query?shape=Sensor&missing=about:Note")
        .then()
        .body("items.wref", contains("Sensor/b"));
    var before = Api.as(token).get(repository + "/count?missing=about:Note").asString();
    commit(repository, Sample.retract("Note/hidden"));
    assertEquals(before, Api.as(token).get(repository + "/count?missing=about:Note").asString());
  }

  @Test
  void a_shape_that_does_not_exist_is_told_although_everything_lacks_it() {
    var repository = repository("Sensor/a");
    get(repository + "/query?shape=Sensor&missing=about:Nota")
        .body("items.wref", contains("Sensor/a"))
        .body("warnings", contains("There is no shape `Nota`."));
    get(repository + "/count?missing=about:Nota")
        .body("count", is(3))
        .body("warnings", contains("There is no shape `Nota`."));
    get(repository + "/query?missing=about:Note").body("warnings", nullValue());
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "Note", "about", "about:", "about:9", "refs:Note", "about:Note/x"})
  void anything_else_is_refused(String missing) {
    var repository = repository("Sensor/a");
    for (var route : List.of("/head", "/query", "/count")) {
      refused(repository + route + "?missing=" + missing, "?missing");
    }
  }
}
