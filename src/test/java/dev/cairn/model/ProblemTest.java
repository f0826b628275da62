package dev.cairn.model;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import dev.cairn.model.Problem.Violation;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

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
  void a_pointer_has_at_most_1000_characters() {
    assertEquals("x".repeat(1_000), new Violation("x".repeat(1_000), "d").pointer());
    assertEquals("x".repeat(1_000) + "…", new Violation("x".repeat(1_001), "d").pointer());
  }

  @ParameterizedTest
  @CsvSource({
    "no `cairn_pat_0123456789abcdefghij/x` here, no `cairn_pat_…/x` here",
    "cairn_refresh_0123456789-_abcdefghij, cairn_refresh_…",
    "eyJhbGciOiJFUzI1NiJ9.eyJzdWIiOiIxIn0.c2lnbmF0dXJl/b, eyJ…/b",
    "/eyJhbGciOiJFUzI1NiJ9.eyJzdWIiOiIx, /eyJ…",
    "cairn_pat_ is how it begins, cairn_pat_ is how it begins",
    "heyJude and eyJ, heyJude and eyJ",
    "cairn_pat_0123456789abcdefghi, cairn_pat_0123456789abcdefghi"
  })
  void what_reads_like_a_token_is_cut_off_in_sentences_and_pointers(String said, String shown) {
    var problem = Problem.invalid(said, said).hint("h").with("n", 1).under("/a");
    assertEquals(shown, problem.detail());
    assertEquals(List.of(new Violation("/a" + shown, shown)), problem.errors());
    assertEquals(shown, Problem.notFound(said).detail());
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
