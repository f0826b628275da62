package dev.cairn.content.verification;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.cairn.content.verification.LaterShapeNames.ShapeRename;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Which names of definitions renames explain; {@code docs/commits.md}, The hash chain. */
class LaterShapeNamesTest {
  @Test
  void without_later_renames_a_name_stays() {
    var names = new LaterShapeNames(List.of(stored(3, 0, "A", "B")));
    names.goBackTo(4, 0);
    assertEquals("A", names.today("A"));
    names.goBackTo(3, 0);
    assertEquals("A", names.today("A"));
  }

  @Test
  void several_renames_follow_one_another() {
    var names = new LaterShapeNames(List.of(stored(5, 0, "B", "C"), stored(3, 0, "A", "B")));
    names.goBackTo(4, 0);
    assertEquals(List.of("A", "C", "C"), today(names));
    names.goBackTo(2, 0);
    assertEquals(List.of("C", "C", "C"), today(names));
  }

  @Test
  void a_name_that_is_free_again_is_another_shape() {
    var names =
        new LaterShapeNames(
            List.of(stored(7, 0, "A", "C"), stored(5, 0, "B", "A"), stored(3, 0, "A", "B")));
    names.goBackTo(6, 0);
    assertEquals(List.of("C", "B", "C"), today(names));
    names.goBackTo(4, 0);
    assertEquals(List.of("C", "C", "C"), today(names));
    names.goBackTo(2, 0);
    assertEquals(List.of("C", "C", "C"), today(names));
  }

  @Test
  void within_a_commit_only_renames_after_the_operation_count() {
    var names = new LaterShapeNames(List.of(stored(3, 4, "B", "C"), stored(3, 2, "A", "B")));
    names.goBackTo(3, 3);
    assertEquals(List.of("A", "C", "C"), today(names));
    names.goBackTo(3, 1);
    assertEquals(List.of("C", "C", "C"), today(names));
  }

  @Test
  void a_shape_that_is_renamed_when_it_is_added_changes_only_definitions_of_that_commit() {
    var names = new LaterShapeNames(List.of(new ShapeRename(3, 2, "A", "B", false)));
    names.goBackTo(3, 1);
    assertEquals("B", names.today("A"));
    names.goBackTo(2, 0);
    assertEquals("A", names.today("A"));
  }

  private static ShapeRename stored(long seq, int opIndex, String oldName, String newName) {
    return new ShapeRename(seq, opIndex, oldName, newName, true);
  }

  private static List<String> today(LaterShapeNames names) {
    return List.of(names.today("A"), names.today("B"), names.today("C"));
  }
}
