package dev.cairn.query;

import static dev.cairn.Api.anonymous;
import static dev.cairn.query.Sample.commit;
import static dev.cairn.query.Sample.get;
import static dev.cairn.query.Sample.note;
import static dev.cairn.query.Sample.repository;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.hasItem;
import static org.hamcrest.Matchers.is;
import static org.hamcrest.Matchers.notNullValue;
import static org.hamcrest.Matchers.nullValue;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.cairn.Eventually;
import dev.cairn.HttpTest;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.response.ValidatableResponse;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Reads: no answer is larger than 8 MiB. */
@HttpTest
@QuarkusTest
class LargeAnswersTest {
  private static final int MAX_ANSWER = 8 * 1024 * 1024;

  /** Nine of these fit into an answer, ten do not. */
  private static final int LARGE = 920_000;

  private static final String TEXT = "x".repeat(LARGE);
  private static final Pattern ITEM = Pattern.compile("\"wref\":\"Note/");
  private static final Pattern CURSOR = Pattern.compile("\"nextCursor\":\"([^\"]+)\"");

  private static String large(String name, String about) {
    return "{'operation':'add','kind':'assertion','name':'Note/%s','about':'%s','data':{'text':'%s'}}"
        .formatted(name, about, TEXT);
  }

  private static void addLarge(String repository, int count, String about) {
    commit(
        repository,
        IntStream.range(0, count)
            .mapToObj(i -> large("n%02d".formatted(i), about))
            .collect(Collectors.joining(",")));
  }

  /**
   * Walks all pages, each of which must be within bounds; answers how many items each one had. Does
   * not parse them, which takes longer than all else.
   */
  private static List<Long> walk(String url) {
    var sizes = new ArrayList<Long>();
    var page = url;
    Matcher cursor;
    do {
      var answer = get(page).statusCode(200).extract().asString();
      assertTrue(answer.length() <= MAX_ANSWER, "a page of " + answer.length());
      sizes.add(ITEM.matcher(answer).results().count());
      cursor = CURSOR.matcher(answer);
      page = cursor.find() ? url + "&cursor=" + cursor.group(1) : null;
    } while (page != null);
    return sizes;
  }

  /**
   * Asks again if pages were short because the answers of others, or the last one of this client,
   * still had their room.
   */
  private static void assertPages(String url, Long... sizes) {
    Eventually.poll("as many items on each page: " + url, () -> walk(url), List.of(sizes)::equals);
  }

  @Test
  void a_page_of_large_items_ends_early_and_the_next_ones_have_the_rest() {
    var repository = repository("Sensor/a");
    addLarge(repository, 15, "Sensor/a");

    for (var route :
        List.of(
            "/head?shape=Note",
            "/query?about=Sensor/a",
            "/history?shape=Note",
            "/about/Sensor/a?depth=2")) {
      assertPages(repository + route + "&limit=50", 9L, 6L);
      assertPages(repository + route + "&limit=500", 9L, 6L);
      assertPages(repository + route + "&limit=4", 4L, 4L, 4L, 3L);
    }
  }

  @Test
  void children_that_do_not_fit_are_left_out_and_their_parents_say_so() {
    var repository = repository("Sensor/a");
    commit(
        repository,
        note("wide", "Sensor/a") + "," + note("leaf", "Sensor/a") + "," + note("thin", "Sensor/a"));
    commit(repository, note("old", "Note/thin"));
    addLarge(repository, 12, "Note/wide");
    commit(repository, note("new", "Note/thin"));

    var answer = about(repository + "/about/Sensor/a?depth=2");

    answer
        .body("assertions.name", is(List.of("thin", "leaf", "wide")))
        .body("assertions[2].children.size()", is(9))
        .body("assertions[2].children[0].name", is("n11"))
        .body("assertions[2].childrenTruncated", is(true))
        .body("assertions[1].childrenTruncated", nullValue())
        .body("assertions[0].children.name", is(List.of("new")))
        .body("assertions[0].childrenTruncated", is(true))
        .body("nextCursor", nullValue());
    assertPages(repository + "/query?about=Note/wide&limit=50", 9L, 3L);
  }

  @Test
  void all_levels_share_the_bytes_of_one_answer() {
    var repository = repository("Sensor/a");
    addLarge(repository, 5, "Sensor/a");
    commit(repository, large("c1", "Note/n04") + "," + large("c2", "Note/n04"));
    commit(repository, large("d1", "Note/c1") + "," + large("d2", "Note/c1"));
    commit(repository, large("e", "Note/d2") + "," + large("f", "Note/e"));

    about(repository + "/about/Sensor/a?depth=5")
        .body("assertions.size()", is(5))
        .body("assertions[0].children.name", is(List.of("c2", "c1")))
        .body("assertions[0].children[1].children.name", is(List.of("d2", "d1")))
        .body("assertions[0].children[1].children[0].children", nullValue())
        .body("assertions[0].children[1].children[0].childrenTruncated", is(true))
        .body("assertions[0].children[1].children[1].childrenTruncated", nullValue());
  }

  @Test
  void a_full_page_still_says_which_of_its_assertions_have_children() {
    var repository = repository("Sensor/a");
    addLarge(repository, 12, "Sensor/a");
    commit(repository, note("child", "Note/n11") + "," + large("largeChild", "Note/n10"));

    about(repository + "/about/Sensor/a?depth=2")
        .body("assertions.size()", is(9))
        .body("assertions[0].name", is("n11"))
        .body("assertions.childrenTruncated", hasItem(true))
        .body("assertions[1].childrenTruncated", is(true))
        .body("assertions[2].childrenTruncated", nullValue())
        .body("nextCursor", notNullValue());
  }

  private static ValidatableResponse about(String url) {
    var answer = get(url).statusCode(200);
    int size = answer.extract().asByteArray().length;
    assertTrue(size <= MAX_ANSWER, "an answer of " + size);
    return answer;
  }

  @Test
  void a_batch_of_more_than_8_mib_is_refused_with_the_advice_to_ask_for_fewer() {
    var repository = repository("Sensor/a");
    addLarge(repository, 10, "Sensor/a");

    batch(repository, 9).statusCode(200).body("items.size()", is(9));
    batch(repository, 10)
        .statusCode(413)
        .body("code", is("PAYLOAD_TOO_LARGE"))
        .body("detail", containsString("request fewer"));
  }

  private static ValidatableResponse batch(String repository, int count) {
    var wrefs =
        IntStream.range(0, count)
            .mapToObj(i -> "\"Note/n%02d\"".formatted(i))
            .collect(Collectors.joining(","));
    return anonymous()
        .body("{\"wrefs\":[" + wrefs + "]}")
        .post(repository + "/things/batch")
        .then();
  }
}
