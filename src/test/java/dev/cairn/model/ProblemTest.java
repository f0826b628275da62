package dev.cairn.model;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import dev.cairn.model.Problem.Violation;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ProblemTest {
  @Test
  void a_problem_of_several_places_says_the_first() {
    var problem =
        Problem.of(
            ErrorCode.SHAPE_MISMATCH,
            List.of(new Violation("/a", "x"), new Violation("/b", "y")),
            0);
    assertEquals("x", problem.detail());
    assertEquals(List.of("/a", "/b"), Samples.pointers(problem));
  }

  @Test
  void seen_from_further_out_every_pointer_grows() {
    var problem = Problem.invalid("/name", "x").under("/operations/3");
    assertEquals(List.of("/operations/3/name"), Samples.pointers(problem));
    assertEquals("x", problem.detail());
  }

  @Test
  void a_problem_without_place_is_given_one() {
    assertEquals(List.of("/a"), Samples.pointers(Problem.notFound("x").at("/a")));
    assertEquals(List.of("/a/b"), Samples.pointers(Problem.invalid("/b", "x").at("/a")));
  }

  @Test
  void details_and_hint_are_kept_through_all_changes() {
    var problem =
        Problem.of(ErrorCode.CONFLICT, "x").with("reason", "r").hint("h").with("n", 1).at("/a");
    assertEquals(Map.of("reason", "r", "n", 1), problem.details());
    assertEquals("h", problem.hint());
    assertEquals(ErrorCode.CONFLICT, problem.code());
    assertNull(Problem.notFound("x").hint());
  }
}
