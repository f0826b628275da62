package dev.cairn.content.verification;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.cairn.content.verification.FormerShapeNames.ShapeRename;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class FormerShapeNamesTest {
  private static List<ShapeRename> renames(String... pairs) {
    var renames = new ArrayList<ShapeRename>();
    for (var pair : pairs) {
      var names = pair.split(">", -1);
      renames.add(new ShapeRename(renames.size() + 1, 0, names[0], names[1]));
    }
    return renames;
  }

  @Test
  void a_name_that_no_rename_made_was_itself() {
    assertEquals(List.of("A"), FormerShapeNames.origins("A", renames()));
    assertEquals(List.of("A"), FormerShapeNames.origins("A", renames("B>C")));
  }

  @Test
  void a_name_that_renames_made_had_the_first_of_the_names_or_was_there_before_the_shape() {
    assertEquals(List.of("A", "B", "C"), FormerShapeNames.origins("C", renames("A>B", "B>C")));
  }

  @Test
  void a_name_that_was_passed_on_belongs_to_its_first_owner() {
    assertEquals(List.of("B"), FormerShapeNames.origins("A", renames("A>C", "B>A")));
    assertEquals(List.of("A", "C"), FormerShapeNames.origins("C", renames("A>C", "B>A")));
  }

  @Test
  void a_name_that_came_back_was_the_same_or_the_one_between() {
    assertEquals(List.of("A", "B"), FormerShapeNames.origins("A", renames("A>B", "B>A")));
  }

  @Test
  void a_name_that_nothing_can_have_become_has_no_origin() {
    assertEquals(List.of(), FormerShapeNames.origins("A", renames("A>B")));
  }

  @Test
  void combinations_are_tried_from_the_likeliest_on_with_few_changes_first() {
    var tried = new ArrayList<String>();
    var origins = List.of(List.of("a", "b"), List.of("c"), List.of("d", "e", "f"));

    assertFalse(FormerShapeNames.anyMatches(origins, names -> !tried.add(String.join("", names))));

    assertEquals(List.of("acd", "bcd", "ace", "acf", "bce", "bcf"), tried);
    assertTrue(FormerShapeNames.anyMatches(origins, List.of("b", "c", "f")::equals));
    assertTrue(FormerShapeNames.anyMatches(List.of(), List::isEmpty));
    assertFalse(FormerShapeNames.anyMatches(List.of(List.of()), _ -> true));
  }

  @Test
  void the_number_of_combinations_is_bounded() {
    var tried = new AtomicInteger();

    assertFalse(
        FormerShapeNames.anyMatches(
            Collections.nCopies(1_000, List.of("a", "b", "c")),
            _ -> tried.incrementAndGet() > 1_000));
  }
}
