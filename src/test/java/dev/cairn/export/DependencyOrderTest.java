package dev.cairn.export;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;

/** The order of an export against any edges between twelve positions. */
class DependencyOrderTest {
  private static final int POSITIONS = 12;

  private static List<Long> order(List<int[]> edges) {
    var deferral = new DependencyOrder(sorted(edges));
    var written = new ArrayList<Long>();
    for (long position = 0; position < POSITIONS; position++) {
      if (deferral.isDue(position)) {
        flush(deferral, written);
      }
      if (!deferral.mustWait(position)) {
        written.add(position);
        deferral.written(position);
      }
    }
    flush(deferral, written);
    return written;
  }

  private static void flush(DependencyOrder deferral, List<Long> written) {
    for (var next = deferral.next(); next.length > 0; next = deferral.next()) {
      for (long position : next) {
        written.add(position);
      }
    }
  }

  /** As the database gives them: without those from an entity to itself, by their ends. */
  private static DependencyOrder.Edges sorted(List<int[]> edges) {
    var all = new DependencyOrder.Edges();
    edges.stream()
        .sorted(Comparator.comparingInt(edge -> edge[1]))
        .forEach(edge -> all.add(edge[0], edge[1]));
    return all;
  }

  /** All that can be added by and by: without circles, and without what depends on one. */
  static Set<Integer> addable(List<int[]> edges) {
    var addable = new HashSet<Integer>();
    boolean more = true;
    while (more) {
      more = false;
      for (int i = 0; i < POSITIONS; i++) {
        int position = i;
        if (edges.stream().allMatch(e -> e[0] != position || addable.contains(e[1]))) {
          more |= addable.add(position);
        }
      }
    }
    return addable;
  }

  @Property
  void each_entity_comes_once_and_after_all_that_it_refers_to_unless_there_is_a_cycle(
      @ForAll @Size(max = 16) List<@Size(2) List<@IntRange(max = POSITIONS - 1) Integer>> pairs) {
    var edges =
        pairs.stream()
            .filter(p -> !p.get(0).equals(p.get(1)))
            .map(p -> new int[] {p.get(0), p.get(1)})
            .toList();
    var order = order(edges);
    assertEquals(POSITIONS, order.size());
    assertEquals(POSITIONS, new HashSet<>(order).size());
    var addable = addable(edges);
    for (var edge : edges) {
      if (addable.contains(edge[0])) {
        assertTrue(
            order.indexOf((long) edge[1]) < order.indexOf((long) edge[0]),
            () -> edge[0] + " before " + edge[1] + " in " + order);
      }
    }
    var unbound = new ArrayList<Long>();
    for (long position = 0; position < POSITIONS; position++) {
      long p = position;
      if (!addable.contains((int) p) || edges.stream().noneMatch(e -> e[0] == p)) {
        unbound.add(p);
      }
    }
    assertEquals(unbound, order.stream().filter(unbound::contains).toList());
  }
}
