package dev.cairn.platform.limiter;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class FairQueueTest {
  private final FairQueue<String> queue = new FairQueue<>();

  private void add(String... names) {
    for (var name : names) {
      queue.add(List.of(name.substring(0, 1), name.substring(1, 2)), name);
    }
  }

  private List<String> rest() {
    return Stream.generate(queue::poll).takeWhile(name -> name != null).toList();
  }

  @Test
  void one_group_is_served_in_the_order_of_arrival() {
    add("aa1", "aa2", "aa3");
    assertEquals(List.of("aa1", "aa2", "aa3"), rest());
    assertNull(queue.poll());
  }

  @Test
  void groups_take_turns_however_much_one_has_put_in_before() {
    add("aa1", "aa2", "aa3", "aa4", "bb1", "bb2", "cc1");
    assertEquals(List.of("aa1", "bb1", "cc1", "aa2", "bb2", "aa3", "aa4"), rest());
  }

  @Test
  void a_group_of_many_groups_has_one_turn_in_which_they_take_turns() {
    add("aa1", "ab1", "ac1", "aa2", "xx1", "xx2");
    assertEquals(List.of("aa1", "xx1", "ab1", "xx2", "ac1", "aa2"), rest());
  }

  @Test
  void a_new_group_waits_for_at_most_one_round_of_the_others() {
    add("aa1", "aa2", "aa3", "bb1", "bb2", "bb3");
    assertEquals("aa1", queue.poll());
    add("cc1");
    assertEquals(List.of("bb1", "aa2", "cc1", "bb2", "aa3", "bb3"), rest());
  }
}
