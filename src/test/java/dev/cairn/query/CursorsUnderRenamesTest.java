package dev.cairn.query;

import static dev.cairn.query.Sample.add;
import static dev.cairn.query.Sample.commit;
import static dev.cairn.query.Sample.get;
import static dev.cairn.query.Sample.note;
import static dev.cairn.query.Sample.rename;
import static dev.cairn.query.Sample.repository;
import static dev.cairn.query.Sample.thing;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.cairn.HttpTest;
import io.quarkus.test.junit.QuarkusTest;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The API, lists: what is renamed between two pages is on exactly one of them. */
@HttpTest
@QuarkusTest
class CursorsUnderRenamesTest {
  private static final int COUNT = 12;

  /** Things whose {@code data.n} says which one it is, whatever its name. */
  private static String filled() {
    var repository = repository();
    commit(
        repository,
        IntStream.range(0, COUNT)
            .mapToObj(
                n ->
                    "{'operation':'add','name':'%s/%c','data':{'n':%d}}"
                        .formatted(n % 3 == 0 ? "Note" : "Sensor", 'b' + 2 * n, n))
            .collect(Collectors.joining(",")));
    return repository;
  }

  /** Values of all pages, between which something is done. */
  private static List<Object> walk(
      String url, String values, int limit, Consumer<Integer> between) {
    var all = new ArrayList<>();
    var page = url + (url.contains("?") ? "&" : "?") + "limit=" + limit;
    String cursor = null;
    int pages = 0;
    do {
      var answer =
          get(cursor == null ? page : page + "&cursor=" + cursor).statusCode(200).extract();
      List<Object> found = answer.path(values);
      assertTrue(found.size() <= limit);
      all.addAll(found);
      cursor = answer.path("nextCursor");
      between.accept(++pages);
    } while (cursor != null);
    return all;
  }

  private static List<Object> numbers(List<Object> seen) {
    return seen.stream().filter(n -> n != null && (int) n < COUNT).sorted().toList();
  }

  private static List<Object> all() {
    return IntStream.range(0, COUNT).mapToObj(n -> (Object) n).toList();
  }

  @Test
  void a_thing_that_moves_ahead_is_not_missed_and_one_that_moves_behind_not_shown_again() {
    var repository = repository("Sensor/b", "Sensor/d", "Sensor/f", "Sensor/h");
    var first = get(repository + "/head?kind=thing&limit=2").extract();
    assertEquals(List.of("Sensor/b", "Sensor/d"), first.path("items.wref"));
    commit(repository, rename("Sensor/b", "z") + "," + rename("Sensor/h", "a"));
    var url = repository + "/head?kind=thing&limit=2&cursor=" + first.path("nextCursor");
    get(url)
        .statusCode(200)
        .body("items.wref", org.hamcrest.Matchers.is(List.of("Sensor/f", "Sensor/a")))
        .body("nextCursor", org.hamcrest.Matchers.nullValue());
  }

  @Test
  void the_things_of_a_renamed_shape_keep_their_place() {
    var repository = filled();
    var seen =
        walk(
            repository + "/head",
            "items.data.n",
            4,
            page -> {
              if (page == 1) {
                commit(repository, rename("Shape/Note", "Zettel"));
              } else if (page == 2) {
                commit(repository, rename("Shape/Sensor", "Aerial") + "," + thing("Aerial/a"));
              }
            });
    assertEquals(all(), numbers(seen));
  }

  @Test
  void a_name_that_was_taken_over_hides_nobody() {
    var repository = repository("Sensor/b", "Sensor/d", "Sensor/f");
    var first = get(repository + "/head?kind=thing&limit=1").extract();
    commit(repository, rename("Sensor/d", "a") + "," + thing("Sensor/d"));
    var seen = new ArrayList<String>();
    String cursor = first.path("nextCursor");
    while (cursor != null) {
      var page = get(repository + "/head?kind=thing&limit=1&cursor=" + cursor).extract();
      seen.addAll(page.path("items.wref"));
      cursor = page.path("nextCursor");
    }
    assertTrue(seen.containsAll(List.of("Sensor/a", "Sensor/f")), seen.toString());
  }

  @ParameterizedTest
  @ValueSource(strings = {"/head", "/query?where=n:gte:0&shape=", "/head?at=2", "/head?match=**"})
  void whatever_is_renamed_between_pages_each_is_seen_exactly_once(String read) {
    for (int seed = 0; seed < 4; seed++) {
      var repository = filled();
      var random = new Random(seed);
      var names = names(repository);
      boolean shapes = !read.contains("shape=");
      var expected = shapes ? all() : all().stream().filter(n -> (int) n % 3 != 0).toList();
      var url = repository + (shapes ? read : read + "Sensor");
      var seen =
          walk(url, "items.data.n", 1 + seed, _ -> renameSome(repository, names, random, shapes));
      assertEquals(expected, numbers(seen), read + " " + seed);
    }
  }

  private static Map<Integer, String> names(String repository) {
    var names = new HashMap<Integer, String>();
    List<Map<String, Object>> items = get(repository + "/head?kind=thing").extract().path("items");
    for (var item : items) {
      @SuppressWarnings("unchecked")
      var data = (Map<String, Object>) item.get("data");
      names.put((Integer) data.get("n"), (String) item.get("wref"));
    }
    return names;
  }

  /** Two things anywhere, sometimes a shape, and a newcomer under a name that was left. */
  private static void renameSome(
      String repository, Map<Integer, String> names, Random random, boolean shapes) {
    int n = random.nextInt(COUNT);
    var wref = names.get(n);
    var shape = wref.substring(0, wref.indexOf('/'));
    var name = "%c%d".formatted('a' + random.nextInt(26), random.nextInt(1_000_000));
    var operations = rename(wref, name) + "," + thing(wref);
    names.put(n, shape + "/" + name);
    if (shapes && random.nextInt(3) == 0) {
      var former = names.get(random.nextInt(COUNT)).split("/", -1)[0];
      var later = "%c%d".formatted('A' + random.nextInt(26), random.nextInt(1_000_000));
      operations += "," + rename("Shape/" + former, later);
      names.replaceAll(
          (_, w) -> w.startsWith(former + "/") ? later + w.substring(former.length()) : w);
    }
    commit(repository, operations);
  }

  @Test
  void assertions_about_a_target_keep_their_place() {
    var repository = repository("Sensor/s");
    commit(
        repository,
        Stream.of("b", "d", "f", "h")
            .map(n -> note(n, "Sensor/s"))
            .collect(Collectors.joining(",")));
    var seen =
        walk(
            repository + "/query?about=Sensor/s",
            "items.name",
            1,
            page -> {
              if (page == 1) {
                commit(repository, rename("Note/b", "z") + "," + rename("Note/h", "a"));
              }
            });
    assertEquals(List.of("b", "d", "f", "a"), seen);
  }

  @ParameterizedTest
  @CsvSource({"/shapes, items.name", "/describe, shapes.name"})
  void a_list_of_shapes_misses_none_that_was_renamed(String read, String values) {
    var repository = repository();
    for (var name : List.of("B", "D", "F")) {
      commit(
          repository,
          "{'operation':'add','kind':'shape','name':'" + name + "','data':{'fields':{}}}");
    }
    var seen =
        walk(
            repository + read,
            values,
            2,
            page -> {
              if (page == 1) {
                commit(repository, rename("Shape/B", "Z") + "," + rename("Shape/Sensor", "A"));
              }
            });
    assertEquals(List.of("B", "D", "F", "Note", "A"), seen);
  }

  @Test
  void a_difference_is_listed_once_whatever_it_is_called_meanwhile() {
    var repository = repository();
    add(repository, List.of("Sensor/b", "Sensor/d", "Sensor/f", "Note/h"));
    var seen =
        walk(
            repository + "/diff?from=1",
            "items.wref",
            1,
            page -> {
              if (page == 1) {
                commit(repository, rename("Note/h", "z") + "," + rename("Shape/Note", "Zettel"));
              } else if (page == 2) {
                commit(repository, rename("Sensor/f", "a"));
              }
            });
    assertEquals(List.of("Note/h", "Sensor/b", "Sensor/d", "Sensor/a"), seen);
  }
}
