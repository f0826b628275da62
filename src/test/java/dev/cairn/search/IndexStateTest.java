package dev.cairn.search;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.cairn.content.ChangedEntities.Position;
import dev.cairn.search.IndexState.Pass;
import dev.cairn.search.IndexState.Rewrite;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** How a part of an index proceeds; {@code docs/search.md}, The index and Vectors. */
class IndexStateTest {
  private static final Optional<Pass> PASS = Optional.of(new Pass(7, new Position(5, 0, 3), false));

  private static IndexState state(
      Optional<Pass> pass, String chosen, String form, Optional<Rewrite> rewrite) {
    return new IndexState(7, 5, pass, chosen, form, rewrite);
  }

  @Test
  void another_form_is_written_from_the_first_entity_on_while_the_former_is_searched() {
    var begun = state(Optional.empty(), "b", "a", Optional.empty()).begin(_ -> true);
    assertEquals("b", begun.form());
    assertEquals(Optional.of(new Rewrite("a", 0)), begun.rewrite());
    assertEquals(List.of("b", "a"), begun.forms());
    assertTrue(begun.isCompleteIn("a"));
    assertFalse(begun.isCompleteIn("b"));
  }

  @Test
  void when_all_is_written_the_former_form_is_searched_no_more_although_it_is_still_there() {
    var written = state(Optional.empty(), "b", "b", Optional.of(new Rewrite("a", Rewrite.ALL)));
    assertEquals(List.of("b"), written.forms());
    assertTrue(written.isCompleteIn("b"));
    assertFalse(written.isCompleteIn("a"));
    assertFalse(written.isComplete());
  }

  @Test
  void a_change_goes_on_although_another_form_was_chosen_meanwhile() {
    var begun = state(PASS, "c", "b", Optional.of(new Rewrite("a", 9))).begin(_ -> true);
    assertEquals("b", begun.form());
    assertEquals(Optional.of(new Rewrite("a", 9)), begun.rewrite());
  }

  @Test
  void a_program_that_cannot_write_the_form_of_a_change_begins_again_with_its_own() {
    var begun = state(PASS, "a", "b", Optional.of(new Rewrite("a", 9))).begin("a"::equals);
    assertEquals("a", begun.form());
    assertEquals(Optional.of(new Rewrite("a", 0)), begun.rewrite());
    assertEquals(PASS, begun.pass());
  }

  @Test
  void what_is_switched_off_is_only_deleted() {
    for (var rewrite : List.of(Optional.<Rewrite>empty(), Optional.of(new Rewrite("a", 9)))) {
      var off = state(PASS, IndexState.NONE, "b", rewrite).begin(_ -> true);
      assertEquals(List.of(), off.forms());
      assertEquals(Optional.empty(), off.pass());
      assertEquals(7, off.indexedSeq());
      assertEquals(Optional.of(new Rewrite(IndexState.NONE, Rewrite.ALL)), off.rewrite());
    }
    var deleted = state(Optional.empty(), IndexState.NONE, IndexState.NONE, Optional.empty());
    assertTrue(deleted.begin(_ -> true).isComplete());
  }
}
