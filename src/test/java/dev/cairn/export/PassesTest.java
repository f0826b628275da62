package dev.cairn.export;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;

/** The order of exports with more forward references than fit into memory, against any edges. */
class PassesTest {
  private static final int IDS = 12;
  private static final int LONG_CHAIN = 40;

  /** What is read and written. */
  private static final class Run {
    private final List<Long> written = new ArrayList<>();
    private int reads;

    /** Adds the ids in two groups, the odd ones later. */
    static Run of(int ids, List<int[]> edges, int maxEdges) {
      var run = new Run();
      var passes =
          new Passes(
              (page, visitor) -> run.show(page, edges, visitor),
              page -> LongStream.of(page).forEach(run.written::add),
              maxEdges);
      for (int group = 0; group < 2; group++) {
        for (int id = group; id < ids; id += 2) {
          passes.add(id);
        }
        passes.run();
      }
      passes.finish();
      return run;
    }

    private void show(long[] page, List<int[]> edges, Passes.Visitor visitor) {
      reads += page.length;
      for (long id : page) {
        boolean _ =
            edges.stream()
                .filter(edge -> edge[0] == id)
                .allMatch(edge -> visitor.target(id, edge[1]));
        visitor.end(id);
      }
    }
  }

  private static List<int[]> edges(List<List<Integer>> pairs) {
    return pairs.stream()
        .filter(p -> !p.get(0).equals(p.get(1)))
        .map(p -> new int[] {p.get(0), p.get(1)})
        .toList();
  }

  private static void assertInOrder(List<int[]> edges, List<Long> written) {
    for (var edge : edges) {
      assertTrue(
          written.indexOf((long) edge[1]) < written.indexOf((long) edge[0]),
          () -> edge[0] + " before " + edge[1] + " in " + written);
    }
  }

  /** A chain that changes direction with each edge: the first, the last, the second, and so on. */
  private static List<int[]> zigzag() {
    var chain =
        IntStream.range(0, LONG_CHAIN)
            .map(i -> i % 2 == 0 ? i / 2 : LONG_CHAIN - 1 - i / 2)
            .toArray();
    return IntStream.range(1, LONG_CHAIN)
        .mapToObj(i -> new int[] {chain[i - 1], chain[i]})
        .toList();
  }

  @Property
  void each_is_written_once_after_all_that_it_refers_to_unless_there_is_a_circle(
      @ForAll @Size(max = 16) List<@Size(2) List<@IntRange(max = IDS - 1) Integer>> pairs) {
    var edges = edges(pairs);
    var written = Run.of(IDS, edges, edges.size()).written;
    assertEquals(IDS, written.size());
    assertEquals(IDS, new HashSet<>(written).size());
    var addable = DependencyOrderTest.addable(edges);
    assertInOrder(edges.stream().filter(edge -> addable.contains(edge[0])).toList(), written);
  }

  @Property
  void each_is_written_once_whatever_fits_into_memory(
      @ForAll @Size(max = 16) List<@Size(2) List<@IntRange(max = IDS - 1) Integer>> pairs,
      @ForAll @IntRange(max = 4) int maxEdges) {
    var written = Run.of(IDS, edges(pairs), maxEdges).written;
    assertEquals(IDS, written.size());
    assertEquals(IDS, new HashSet<>(written).size());
  }

  @Property
  void references_in_one_direction_need_no_memory(
      @ForAll @Size(max = 16) List<@Size(2) List<@IntRange(max = IDS - 1) Integer>> pairs) {
    var forward = edges(pairs).stream().filter(edge -> edge[0] < edge[1]).toList();
    assertInOrder(forward, Run.of(IDS, forward, 0).written);
  }

  @Test
  void a_chain_of_many_pages_is_resolved_by_few_passes() {
    int ids = 10 * Passes.BATCH_ENTITIES;
    var edges = IntStream.range(1, ids).mapToObj(i -> new int[] {i - 1, i}).toList();
    var run = Run.of(ids, edges, 0);
    assertInOrder(edges, run.written);
    assertTrue(run.reads <= 5 * ids, () -> run.reads + " entities were read");
  }

  @Test
  void a_chain_that_changes_direction_is_ordered_as_long_as_its_open_edges_fit() {
    var edges = zigzag();
    var ordered = Run.of(LONG_CHAIN, edges, edges.size());
    assertInOrder(edges, ordered.written);
    // The first passes wrote some of it, and the edges of the others are loaded.
    int open = edges.size() - inOrderWithout(edges);
    assertInOrder(edges, Run.of(LONG_CHAIN, edges, open).written);
    var cut = Run.of(LONG_CHAIN, edges, open - 1);
    assertEquals(LONG_CHAIN, new HashSet<>(cut.written).size());
    var rest = cut.written.subList(LONG_CHAIN - open - 1, LONG_CHAIN);
    assertEquals(rest.stream().sorted().toList(), rest);
    assertTrue(cut.reads <= 10 * LONG_CHAIN, () -> cut.reads + " entities were read");
  }

  /** How many edges of a chain are between entities that were written in order without memory. */
  private static int inOrderWithout(List<int[]> edges) {
    var written = Run.of(LONG_CHAIN, edges, 0).written;
    int last = LONG_CHAIN - 1;
    while (last > 0 && written.get(last - 1) < written.get(last)) {
      last--;
    }
    return last;
  }
}
