package dev.cairn.model;

import static dev.cairn.model.Samples.pointers;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Test;

class ViolationsTest {
  private static Problem problem(Violations violations, int count) {
    for (int i = 0; i < count; i++) {
      violations.add("/" + i, "wrong " + i);
    }
    return violations.problem(ErrorCode.SHAPE_MISMATCH);
  }

  @Test
  void a_hundred_are_listed_and_the_others_counted_in_a_last_entry() {
    var hundred = problem(new Violations(), 100).errors();
    assertEquals(100, hundred.size());
    assertEquals("/99", hundred.getLast().pointer());
    var more = problem(new Violations(), 1_234).errors();
    assertEquals(101, more.size());
    assertEquals(new Problem.Violation("", "and 1,134 more"), more.getLast());
  }

  @Test
  void the_first_one_of_a_part_is_listed_when_the_allowance_is_used_up() {
    var allowance = new Allowance(3);
    assertEquals(List.of("/0", "/1"), pointers(problem(new Violations(allowance), 2)));
    assertEquals(List.of("/0", ""), pointers(problem(new Violations(allowance), 3)));
    assertEquals(List.of("/0", ""), pointers(problem(new Violations(allowance), 2)));
    assertEquals(List.of("/0"), pointers(problem(new Violations(allowance), 1)));
  }

  @Test
  void a_whole_lists_those_of_its_parts_and_counts_what_they_counted() {
    var whole = new Violations();
    assertTrue(whole.isEmpty());
    whole.addAll(problem(new Violations(new Allowance(2)), 5), "/operations/0");
    whole.addAll(Problem.notFound("gone"), "/operations/1");
    var problem = whole.problem(ErrorCode.SHAPE_MISMATCH);
    assertEquals(
        List.of("/operations/0/0", "/operations/0/1", "/operations/1", ""), pointers(problem));
    assertEquals("and 3 more", problem.errors().getLast().detail());
    assertEquals("wrong 0", problem.detail());
  }

  @Test
  void the_number_of_the_others_stays_through_all_changes() {
    var problem = problem(new Violations(), 101).with("n", 1).hint("h").under("/x").at("/y");
    assertEquals("/y/x/0", problem.errors().getFirst().pointer());
    assertEquals("and 1 more", problem.errors().getLast().detail());
  }
}
