package dev.cairn.query;

import static dev.cairn.query.Sample.add;
import static dev.cairn.query.Sample.commit;
import static dev.cairn.query.Sample.get;
import static dev.cairn.query.Sample.note;
import static dev.cairn.query.Sample.repository;
import static dev.cairn.query.Sample.thing;
import static org.hamcrest.Matchers.hasKey;
import static org.hamcrest.Matchers.is;
import static org.hamcrest.Matchers.not;
import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.cairn.Api;
import dev.cairn.HttpTest;
import dev.cairn.People;
import io.quarkus.test.junit.QuarkusTest;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** API: the first page of a list tells which commit it shows. */
@HttpTest
@QuarkusTest
class RepoSeqTest {
  private static String filled() {
    var repository = repository("Sensor/a", "Sensor/b");
    commit(repository, note("x", "Sensor/a") + "," + note("y", "Sensor/a"));
    return repository;
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "/head?",
        "/query?kind=assertion&",
        "/query?about=Sensor/a&",
        "/shapes?",
        "/about/Sensor/a?",
        "/refs/Sensor/a?",
        "/history?shape=Note&",
        "/diff?from=0&",
      })
  void repo_seq_is_on_the_first_page_only(String list) {
    var repository = filled();
    var url = repository + list + "limit=1";
    String cursor = get(url).statusCode(200).body("repoSeq", is(3)).extract().path("nextCursor");
    get(url + "&cursor=" + cursor).statusCode(200).body("$", not(hasKey("repoSeq")));
    commit(repository, thing("Sensor/c"));
    get(url).body("repoSeq", is(4));
  }

  @Test
  void commits_have_repo_seq_too() {
    var url = filled() + "/commits?limit=1";
    String cursor =
        get(url)
            .body("repoSeq", is(3))
            .body("items[0].repoSeq", is(3))
            .extract()
            .path("nextCursor");
    get(url + "&cursor=" + cursor).body("$", not(hasKey("repoSeq")));
    get(filled() + "/commits?since=" + Long.MAX_VALUE / 1_000_000).body("repoSeq", is(3));
  }

  @Test
  void several_targets_and_empty_lists_have_repo_seq() {
    var repository = filled();
    get(repository + "/about?wref=Sensor/a&wref=Sensor/z").body("repoSeq", is(3));
    get(repository + "/query?shape=Nothing").body("items.size()", is(0)).body("repoSeq", is(3));
    get(Api.newRepository() + "/head").body("repoSeq", is(0));
  }

  @Test
  void a_list_of_what_may_not_be_read_has_repo_seq() {
    var repository = filled();
    var token = People.narrowedPat(repository, "repo:read", "Other/*");
    var elsewhere = "cairn:nobody/nothing/Sensor/a";
    for (var list :
        List.of("/about?wref=Sensor/a&wref=" + elsewhere, "/query?about=" + elsewhere)) {
      Api.as(token).get(repository + list).then().statusCode(200).body("repoSeq", is(3));
    }
  }

  @Test
  void repo_seq_is_the_number_of_a_past_moment() {
    var repository = filled();
    get(repository + "/head?at=2").body("repoSeq", is(2));
    String commitId = get(repository + "/commits").extract().path("items[1].commitId");
    get(repository + "/head?at=" + commitId).body("repoSeq", is(2));
    get(repository + "/diff?from=0&to=1").body("repoSeq", is(1));
  }

  @Test
  void with_it_all_pages_show_one_moment() {
    var repository = filled();
    int seq = get(repository + "/head?shape=Sensor&limit=1").extract().path("repoSeq");
    add(repository, List.of("Sensor/aa", "Sensor/c"));
    assertEquals(
        List.of("Sensor/a", "Sensor/b"),
        Sample.walk(repository + "/head?shape=Sensor&at=" + seq, "items.wref", 1));
    get(repository + "/diff?from=" + seq).body("items.wref", is(List.of("Sensor/aa", "Sensor/c")));
  }
}
