package dev.cairn.query;

import static dev.cairn.query.Sample.commit;
import static dev.cairn.query.Sample.get;
import static dev.cairn.query.Sample.note;
import static dev.cairn.query.Sample.refused;
import static dev.cairn.query.Sample.repository;
import static org.hamcrest.Matchers.contains;
import static org.hamcrest.Matchers.empty;
import static org.hamcrest.Matchers.hasKey;
import static org.hamcrest.Matchers.hasSize;
import static org.hamcrest.Matchers.is;
import static org.hamcrest.Matchers.not;
import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.cairn.Api;
import dev.cairn.HttpTest;
import dev.cairn.People;
import dev.cairn.Statements;
import io.quarkus.test.junit.QuarkusTest;
import java.util.HashMap;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Reads, Assertions about several entities: {@code GET /about?wref=…&wref=…}. */
@HttpTest
@QuarkusTest
class AboutManyTest {
  private static String repositoryWithNotes() {
    var repository = repository("Sensor/a", "Sensor/b", "Sensor/c");
    commit(repository, note("n1", "Sensor/a") + "," + note("n2", "Sensor/b"));
    commit(repository, Sample.revise("Sensor/a", 1));
    commit(repository, note("n3", "Sensor/a") + "," + note("n4", "Note/n1"));
    return repository;
  }

  private static String wrefs(int count) {
    return IntStream.range(0, count)
        .mapToObj(i -> "wref=Sensor/n%03d".formatted(i))
        .collect(Collectors.joining("&"));
  }

  @Test
  void each_target_has_what_about_of_it_answers() {
    var repository = repositoryWithNotes();
    commit(
        repository,
        "{'operation':'add','kind':'assertion','name':'Note/pair','data':{},"
            + "'about':{'pair':['Sensor/b','Sensor/c']}}");
    for (var filter :
        List.of(
            "",
            "&depth=3",
            "&shape=Note",
            "&shape=Sensor",
            "&match=*/n1",
            "&resolveCollections=true&depth=2",
            "&fields=text")) {
      for (var a : List.of("Sensor/a", "Sensor/a@v1", "Sensor/a@HEAD")) {
        var many =
            get(repository + "/about?wref=" + a + "&wref=Sensor/b&wref=Sensor/c" + filter)
                .statusCode(200)
                .body("missing", empty())
                .extract()
                .jsonPath();
        var targets = List.of(a, "Sensor/b", "Sensor/c");
        for (int i = 0; i < targets.size(); i++) {
          var one =
              get(repository + "/about/" + targets.get(i) + "?limit=50" + filter)
                  .statusCode(200)
                  .extract()
                  .jsonPath();
          var alone = new HashMap<>(one.getMap(""));
          assertEquals(many.getInt("repoSeq"), alone.remove("repoSeq"));
          assertEquals(alone, many.getMap("items[" + i + "]"), targets.get(i) + filter);
        }
      }
    }
  }

  @Test
  void what_does_not_exist_or_is_hidden_is_missing_and_a_repeated_target_comes_once() {
    var repository = repositoryWithNotes();
    get(repository + "/about?wref=Sensor/x&wref=Sensor/b&wref=Sensor/b@v2&wref=Sensor/b")
        .statusCode(200)
        .body("items.target.wref", contains("Sensor/b"))
        .body("missing", contains("Sensor/x", "Sensor/b@v2"));
    var token = People.narrowedPat(repository, "repo:read", "Sensor/a", "Note/n1");
    Api.as(token)
        .get(repository + "/about?wref=Sensor/a&wref=Sensor/b&depth=2")
        .then()
        .statusCode(200)
        .body("items.target.wref", contains("Sensor/a"))
        .body("items[0].assertions.wref", contains("Note/n1"))
        .body("items[0].assertions[0]", not(hasKey("children")))
        .body("missing", contains("Sensor/b"));
  }

  @Test
  void limit_bounds_the_assertions_of_each_target_newest_first() {
    var repository = repositoryWithNotes();
    get(repository + "/about?wref=Sensor/a&wref=Sensor/b&limit=1")
        .body("items[0].assertions.wref", contains("Note/n3"))
        .body("items[0].assertionsTruncated", is(true))
        .body("items[1].assertions.wref", contains("Note/n2"))
        .body("items[1]", not(hasKey("assertionsTruncated")));
    get(repository + "/about?wref=Sensor/a&limit=2")
        .body("items[0].assertions.wref", contains("Note/n3", "Note/n1"))
        .body("items[0]", not(hasKey("assertionsTruncated")));
  }

  @Test
  void one_to_100_wrefs_are_taken() {
    var repository = repository();
    Sample.add(repository, Sample.numbered(100));
    get(repository + "/about?" + wrefs(100)).statusCode(200).body("items", hasSize(100));
    refused(repository + "/about?" + wrefs(101), "?wref");
    refused(repository + "/about", "?wref");
    refused(repository + "/about?wref=", "?wref");
    refused(repository + "/about?wref=Sensor/a&limit=501", "?limit");
    refused(repository + "/about?wref=Sensor/a&depth=6", "?depth");
    refused(repository + "/about?wref=Sensor/a&cursor=x", "?cursor");
  }

  @Test
  void it_takes_as_many_statements_for_100_targets_as_for_one() {
    var repository = repository();
    Sample.add(repository, Sample.numbered(100));
    commit(repository, note("n1", "Sensor/n000") + "," + note("n2", "Sensor/n099"));
    int one = statements(repository + "/about?" + wrefs(1));
    int hundred = statements(repository + "/about?" + wrefs(100));
    assertEquals(one, hundred);
  }

  /** Of two requests: the service may send statements of its own meanwhile. */
  private static int statements(String url) {
    return IntStream.range(0, 3)
        .map(
            _ -> {
              int before = Statements.sentInSilence();
              get(url).statusCode(200);
              return Statements.sent() - before;
            })
        .min()
        .orElseThrow();
  }

  @Test
  void the_answer_has_a_tag() {
    var repository = repositoryWithNotes();
    var url = repository + "/about?wref=Sensor/a&wref=Sensor/b";
    var tag = get(url).extract().header("ETag");
    Api.anonymous().header("If-None-Match", tag).get(url).then().statusCode(304);
    commit(repository, note("n9", "Sensor/b"));
    Api.anonymous()
        .header("If-None-Match", tag)
        .get(url)
        .then()
        .statusCode(200)
        .body("items[1].assertions.wref", contains("Note/n9", "Note/n2"));
  }

  @Test
  void what_is_not_shown_takes_no_room_in_the_answer() {
    var repository = repository("Sensor/a", "Sensor/b");
    commit(repository, note("older", "Sensor/b"));
    var text = "x".repeat(900_000);
    for (int i = 0; i < 10; i++) {
      commit(
          repository,
          ("{'operation':'add','name':'Sensor/c%1$d','data':{}},"
                  + "{'operation':'add','type':'pair','members':['Sensor/a','$0']},"
                  + "{'operation':'add','name':'Note/n%1$d','about':'$1','data':{'text':'%2$s'}}")
              .formatted(i, text));
    }
    get(repository + "/about?wref=Sensor/a&wref=Sensor/b&resolveCollections=true&limit=1")
        .statusCode(200)
        .body("items[0].assertions.wref", contains("Note/n9"))
        .body("items[0].assertionsTruncated", is(true))
        .body("items[1].assertions.wref", contains("Note/older"))
        .body("items[1]", not(hasKey("assertionsTruncated")));
  }
}
