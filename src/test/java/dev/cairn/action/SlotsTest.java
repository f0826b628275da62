package dev.cairn.action;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.cairn.action.RunQueue.Line;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Actions, Workers: who gets how much of what a replica carries out at a time. */
class SlotsTest {
  private static final UUID ONE = new UUID(0, 1);
  private static final UUID TWO = new UUID(0, 2);

  private final Slots slots = new Slots(Map.of("webhook", 64, "sprite", 2));

  private static Line line(UUID repoId, String target, int failures) {
    return new Line(repoId, target, "webhook", failures);
  }

  private static int total(List<Slots.Grant> grants) {
    return grants.stream().mapToInt(Slots.Grant::count).sum();
  }

  @Test
  void one_target_has_a_sixteenth_at_the_most() {
    assertEquals(4, total(slots.grant(List.of(line(ONE, "a", 0)), 100)));
    assertEquals(0, total(slots.grant(List.of(line(ONE, "a", 0)), 100)));
    assertTrue(slots.full().targets().contains(new Slots.Target(ONE, "a", "webhook")));
  }

  @Test
  void one_repository_has_a_quarter_at_the_most() {
    var lines = IntStream.range(0, 50).mapToObj(i -> line(ONE, "t" + i, 0)).toList();
    assertEquals(16, total(slots.grant(lines, 100)));
    assertTrue(slots.full().repositories().contains(new Slots.Home(ONE, "webhook")));
    assertEquals(4, total(slots.grant(List.of(line(TWO, "a", 0)), 100)));
  }

  @Test
  void each_failure_in_a_row_halves_the_share_of_a_target_down_to_one() {
    assertEquals(4, total(slots.grant(List.of(line(ONE, "a", 0)), 100)));
    assertEquals(2, total(slots.grant(List.of(line(ONE, "b", 1)), 100)));
    assertEquals(1, total(slots.grant(List.of(line(ONE, "c", 2)), 100)));
    assertEquals(1, total(slots.grant(List.of(line(ONE, "d", 1000)), 100)));
  }

  @Test
  void where_the_share_would_be_nothing_it_is_one() {
    var sprite = new Line(ONE, "sprite:x", "sprite", 0);
    assertEquals(1, total(slots.grant(List.of(sprite), 100)));
    assertEquals(1, total(slots.grant(List.of(new Line(TWO, "sprite:y", "sprite", 0)), 100)));
    assertFalse(slots.full().kinds().contains("sprite"));
    assertTrue(slots.release(sprite.slot(), 1));
    assertTrue(slots.full().kinds().contains("sprite"));
  }

  @Test
  void the_repository_with_the_least_under_way_comes_first_and_each_line_gets_one_in_turn() {
    slots.grant(List.of(line(ONE, "busy", 0)), 100);
    var lines = new ArrayList<Line>();
    lines.add(line(ONE, "a", 0));
    lines.add(line(ONE, "b", 0));
    lines.add(line(TWO, "c", 0));
    var grants = slots.grant(lines, 2);
    assertEquals(List.of("c", "a"), grants.stream().map(grant -> grant.target().name()).toList());
    assertEquals(2, total(grants));
  }

  @Test
  void what_is_given_back_can_be_had_again() {
    var grants = slots.grant(List.of(line(ONE, "a", 0)), 100);
    assertEquals(4, slots.taken());
    grants.forEach(grant -> slots.release(grant.target(), grant.count()));
    assertEquals(0, slots.taken());
    assertEquals(4, total(slots.grant(List.of(line(ONE, "a", 0)), 100)));
  }
}
