package dev.cairn.query;

import static dev.cairn.query.Sample.commit;
import static dev.cairn.query.Sample.get;
import static dev.cairn.query.Sample.note;
import static dev.cairn.query.Sample.numbered;
import static dev.cairn.query.Sample.refused;
import static dev.cairn.query.Sample.repository;
import static dev.cairn.query.Sample.walk;
import static org.hamcrest.Matchers.hasKey;
import static org.hamcrest.Matchers.hasSize;
import static org.hamcrest.Matchers.not;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.cairn.HttpTest;
import io.quarkus.test.junit.QuarkusTest;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Reads: cursors. */
@HttpTest
@QuarkusTest
class PagingTest {
  private static final int COUNT = 23;

  private static String filled() {
    var repository = repository();
    Sample.add(repository, numbered(COUNT));
    return repository;
  }

  private static String cursor(String url) {
    String cursor = get(url).statusCode(200).extract().path("nextCursor");
    assertTrue(cursor != null && !cursor.isEmpty(), "no cursor from " + url);
    return cursor;
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 7, 22, 23, 24, 500})
  void all_pages_together_are_the_whole(int limit) {
    var repository = filled();
    assertEquals(numbered(COUNT), walk(repository + "/head?shape=Sensor", "items.wref", limit));
    assertEquals(numbered(COUNT), walk(repository + "/query?kind=thing", "items.wref", limit));
  }

  @Test
  void the_last_page_has_no_cursor_also_when_it_is_full() {
    var repository = filled();
    get(repository + "/head?shape=Sensor&limit=" + COUNT)
        .body("items", hasSize(COUNT))
        .body("$", not(hasKey("nextCursor")));
    var before = repository + "/head?shape=Sensor&limit=" + (COUNT - 1);
    get(before + "&cursor=" + cursor(before))
        .body("items", hasSize(1))
        .body("$", not(hasKey("nextCursor")));
  }

  @Test
  void the_limit_may_change_between_pages() {
    var repository = filled();
    var url = repository + "/query?shape=Sensor";
    var all = new ArrayList<String>(Sample.wrefs(url + "&limit=4"));
    var next = cursor(url + "&limit=4");
    all.addAll(Sample.wrefs(url + "&limit=1&cursor=" + next));
    next = cursor(url + "&limit=1&cursor=" + next);
    all.addAll(Sample.wrefs(url + "&cursor=" + next));
    assertEquals(numbered(COUNT), all);
  }

  @Test
  void a_cursor_with_other_filters_is_refused() {
    var repository = filled();
    var url = repository + "/query?shape=Sensor&limit=2";
    var cursor = cursor(url);
    for (var other :
        List.of(
            "/query?limit=2",
            "/query?shape=Note",
            "/query?shape=Sensor&kind=thing",
            "/query?shape=Sensor&match=Sensor/**",
            "/query?shape=Sensor&includeInactive=true",
            "/query?shape=Sensor&resolveCollections=true",
            "/query?shape=Sensor&about=Sensor/n001")) {
      refused(repository + other + "&cursor=" + cursor, "?cursor");
    }
    get(url + "&cursor=" + cursor).statusCode(200);
  }

  @Test
  void filters_that_look_alike_side_by_side_are_still_other_filters() {
    var repository = repository("Sensor/a", "Sensor/a|b");
    commit(
        repository,
        note("1", "Sensor/a|b") + "," + note("2", "Sensor/a|b") + "," + note("3", "Sensor/a"));
    var cursor = cursor(repository + "/query?about=Sensor/a%7Cb&limit=1");
    refused(repository + "/query?about=Sensor/a&match=b%7C&cursor=" + cursor, "?cursor");
  }

  @Test
  void a_cursor_belongs_to_its_route() {
    var repository = filled();
    commit(repository, note("x", "Sensor/n001") + "," + note("y", "Sensor/n001"));
    var fromQuery = cursor(repository + "/query?limit=1");
    var fromHead = cursor(repository + "/head?limit=1");
    var fromShapes = cursor(repository + "/shapes?limit=1");
    var fromHistory = cursor(repository + "/history?shape=Sensor&limit=1");
    var fromAbout = cursor(repository + "/about/Sensor/n001?limit=1");
    var fromCommits = cursor(repository + "/commits?limit=1");
    refused(repository + "/head?cursor=" + fromQuery, "?cursor");
    refused(repository + "/query?cursor=" + fromHead, "?cursor");
    refused(repository + "/head?kind=shape&cursor=" + fromShapes, "?cursor");
    refused(repository + "/head?cursor=" + fromHistory, "?cursor");
    refused(repository + "/history?shape=Note&cursor=" + fromHistory, "?cursor");
    refused(repository + "/history?wref=Sensor/n001&cursor=" + fromHistory, "?cursor");
    refused(repository + "/about/Sensor/n002?cursor=" + fromAbout, "?cursor");
    refused(repository + "/about/Sensor/n001?depth=2&cursor=" + fromAbout, "?cursor");
    refused(repository + "/about/Sensor/n001?match=Note/*&cursor=" + fromAbout, "?cursor");
    refused(repository + "/about/Sensor/n001@v1?cursor=" + fromAbout, "?cursor");
    refused(repository + "/commits?cursor=" + fromQuery, "?cursor");
    refused(repository + "/head?cursor=" + fromCommits, "?cursor");
  }

  @Test
  void a_cursor_belongs_to_its_repository() {
    var cursor = cursor(filled() + "/query?limit=1");
    refused(filled() + "/query?cursor=" + cursor, "?cursor");
  }

  @Test
  void a_damaged_cursor_is_refused() {
    var repository = filled();
    var url = repository + "/query?shape=Sensor&limit=2";
    var cursor = cursor(url);
    for (int i = 0; i < cursor.length(); i++) {
      char other = cursor.charAt(i) == 'A' ? 'Q' : 'A';
      // The last character may hold bits that carry nothing; another letter there is no damage.
      if (i < cursor.length() - 1) {
        refused(
            url + "&cursor=" + cursor.substring(0, i) + other + cursor.substring(i + 1), "?cursor");
      }
    }
    for (var damaged :
        List.of(
            "",
            "x",
            "AAAA",
            "%00",
            "%20",
            "null",
            cursor + cursor,
            cursor.substring(4),
            cursor + "AAAA",
            "%F0%9F%92%A9",
            "A".repeat(5_000))) {
      get(url + "&cursor=" + damaged)
          .statusCode(400)
          .body("code", org.hamcrest.Matchers.is("VALIDATION_ERROR"));
    }
  }

  @Test
  void pages_stay_right_while_another_client_writes_in_between() {
    var repository = filled();
    var url = repository + "/head?shape=Sensor&limit=5";
    var seen = new ArrayList<String>(Sample.wrefs(url));
    var cursor = cursor(url);
    int written = 0;
    while (cursor != null) {
      // One added before the reader's position, one added after it, one deleted after it.
      commit(
          repository,
          Sample.thing("Sensor/a%03d".formatted(written))
              + ","
              + Sample.thing("Sensor/z%03d".formatted(written))
              + ","
              + Sample.revise("Sensor/n000", written + 1));
      written++;
      var page = get(url + "&cursor=" + cursor).statusCode(200).extract();
      seen.addAll(page.path("items.wref"));
      cursor = page.path("nextCursor");
    }
    assertEquals(seen.size(), new HashSet<>(seen).size(), "nothing twice");
    assertTrue(seen.containsAll(numbered(COUNT)), "nothing left out");
    assertTrue(seen.contains("Sensor/z000"), "what was written after the position is read");
    assertFalse(seen.contains("Sensor/a000"), "what was written before it is not");
    assertEquals(seen.stream().sorted().toList(), seen);
  }

  @Test
  void a_cursor_stays_good_when_its_item_goes_away() {
    var repository = filled();
    var url = repository + "/head?shape=Sensor&limit=5";
    var cursor = cursor(url);
    commit(repository, Sample.retract("Sensor/n004") + "," + Sample.rename("Sensor/n003", "zzz"));
    assertEquals("Sensor/n005", Sample.wrefs(url + "&cursor=" + cursor).getFirst());
  }

  @Test
  void a_cursor_holds_names_of_any_script() {
    var repository = repository();
    var names = new ArrayList<String>();
    for (var name : List.of("é", "中/文", "😀", "a+b", "a&b=c", "ß;x")) {
      names.add("Sensor/" + name);
    }
    Sample.add(repository, names);
    var walked = walk(repository + "/head?shape=Sensor", "items.wref", 1);
    assertEquals(new HashSet<>(names), new HashSet<>(walked));
    assertEquals(names.size(), walked.size());
  }
}
