package dev.cairn.query;

import static dev.cairn.query.Sample.commit;
import static dev.cairn.query.Sample.get;
import static dev.cairn.query.Sample.note;
import static dev.cairn.query.Sample.rename;
import static dev.cairn.query.Sample.repository;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.cairn.HttpTest;
import io.quarkus.test.junit.QuarkusTest;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Reads, pagination: a walk follows the names of its pages. What is renamed meanwhile may come
 * twice or not at all; anything else comes once.
 */
@HttpTest
@QuarkusTest
class CursorsUnderRenamesTest {
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

  @ParameterizedTest
  @ValueSource(
      strings = {
        "/head?kind=thing",
        "/head?match=Sensor/**",
        "/query?shape=Sensor&where=n:exists:false",
        "/head?kind=thing&at=2"
      })
  void what_moves_ahead_comes_again_and_what_moves_back_is_missed(String read) {
    var repository = repository("Sensor/b", "Sensor/d", "Sensor/f", "Sensor/h");
    var seen =
        walk(
            repository + read,
            "items.wref",
            2,
            page -> {
              if (page == 1) {
                commit(repository, rename("Sensor/b", "z") + "," + rename("Sensor/h", "a"));
              }
            });
    assertEquals(List.of("Sensor/b", "Sensor/d", "Sensor/f", "Sensor/z"), seen);
  }

  @Test
  void the_things_of_a_renamed_shape_move_with_it() {
    var repository = repository("Note/b", "Note/d", "Sensor/a");
    var seen =
        walk(
            repository + "/head?kind=thing",
            "items.wref",
            1,
            page -> {
              if (page == 1) {
                commit(repository, rename("Shape/Note", "Zettel"));
              }
            });
    assertEquals(List.of("Note/b", "Sensor/a", "Zettel/b", "Zettel/d"), seen);
  }

  @Test
  void assertions_about_a_target_are_listed_by_their_names_too() {
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
    assertEquals(List.of("b", "d", "f", "z"), seen);
  }

  @ParameterizedTest
  @CsvSource({"/shapes, items.name", "/describe, shapes.name"})
  void a_list_of_shapes_follows_their_names(String read, String values) {
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
    assertEquals(List.of("B", "D", "F", "Note", "Z"), seen);
  }
}
