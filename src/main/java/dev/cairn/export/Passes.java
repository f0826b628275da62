package dev.cairn.export;

import dev.cairn.export.DependencyOrder.Edges;
import java.util.Arrays;
import java.util.BitSet;
import java.util.function.Consumer;

/**
 * The order of an export whose forward references do not fit into memory. It reads what the open
 * entities refer to again and again, in the order of their ids and back, and writes each entity
 * whose targets are all written. Memory holds two bits an entity, and a fixed number of edges.
 *
 * <p>Chains of references that go in one direction are resolved by one pass. When passes make
 * little progress, the remaining edges are loaded, if they fit; so all passes together read each
 * entity a limited number of times. What is open after that is in a circle, depends on one, or is
 * part of chains that change direction all the time and have more edges than fit: it is written in
 * the order of the ids.
 */
final class Passes {
  /** How many entities are read and written at a time. */
  static final int PAGE = 200;

  /** A pass that writes less than this part of the open entities makes little progress. */
  private static final int LITTLE = 8;

  private final References references;
  private final Consumer<long[]> writer;
  private final int maxEdges;

  /** The ids that were added and are not written yet. */
  private final BitSet open = new BitSet();

  private final BitSet written = new BitSet();

  /** Whether anything was added since the last passes. */
  private boolean grown;

  /** What entities refer to, among those that are exported. */
  interface References {
    /** Shows the targets of these entities, one entity after another, in the given order. */
    void each(long[] ids, Visitor visitor);
  }

  /** Is shown the targets of entities. */
  interface Visitor {
    /** Takes a target of {@code id}; false if no more of that entity's targets are needed. */
    boolean target(long id, long target);

    /** Called after the targets of {@code id}. */
    default void end(long id) {}
  }

  /**
   * @param writer is given at most {@link #PAGE} ids at a time, in the order in which to write them
   * @param maxEdges how many edges may be kept in memory
   */
  Passes(References references, Consumer<long[]> writer, int maxEdges) {
    this.references = references;
    this.writer = writer;
    this.maxEdges = maxEdges;
  }

  /** Adds an entity to be written. */
  void add(long id) {
    open.set(Math.toIntExact(id));
    grown = true;
  }

  /** Writes what was added and does not wait, until passes in both directions find little of it. */
  void run() {
    boolean ascending = true;
    for (int slow = grown ? 0 : 2; slow < 2 && !open.isEmpty(); ascending = !ascending) {
      long before = open.cardinality();
      pages(ascending, this::writeFree);
      slow = (before - open.cardinality()) * LITTLE < before ? slow + 1 : 0;
    }
    grown = false;
  }

  /** Writes everything that is still open. */
  void finish() {
    var edges = openEdges();
    if (edges.size() > maxEdges) {
      pages(true, this::write);
      return;
    }
    var dependencyOrder = new DependencyOrder(edges.byEnds());
    pages(true, ids -> writeAround(dependencyOrder, ids));
  }

  /** Writes those of a page whose targets are all written; each of these counts at once. */
  private void writeFree(long[] ids) {
    var free = new Page();
    references.each(
        ids,
        new Visitor() {
          private boolean waits;

          @Override
          public boolean target(long id, long target) {
            waits = !written.get((int) target);
            return !waits;
          }

          @Override
          public void end(long id) {
            if (!waits) {
              free.add(id);
              written.set((int) id);
            }
            waits = false;
          }
        });
    write(free.ids());
  }

  /** The edges between open entities; one more than the limit if there are too many. */
  private Edges openEdges() {
    var edges = new Edges();
    pages(
        true,
        ids -> {
          if (edges.size() <= maxEdges) {
            references.each(
                ids,
                (id, target) -> {
                  if (edges.size() <= maxEdges && open.get((int) target)) {
                    edges.add(id, target);
                  }
                  return edges.size() <= maxEdges;
                });
          }
        });
    return edges;
  }

  private void writeAround(DependencyOrder dependencyOrder, long[] ids) {
    var direct = Arrays.stream(ids).filter(id -> !dependencyOrder.holds(id)).toArray();
    for (long id : direct) {
      dependencyOrder.written(id);
    }
    write(direct);
    for (var next = dependencyOrder.next(); next.length > 0; next = dependencyOrder.next()) {
      write(next);
    }
  }

  private void write(long[] ids) {
    if (ids.length > 0) {
      writer.accept(ids);
    }
    for (long id : ids) {
      open.clear((int) id);
      written.set((int) id);
    }
  }

  /** Shows all open entities, in pages; what a page closes is not shown again. */
  private void pages(boolean ascending, Consumer<long[]> consumer) {
    int at = next(ascending ? 0 : open.length() - 1, ascending);
    while (at >= 0) {
      var page = new Page();
      for (; at >= 0 && !page.isFull(); at = next(ascending ? at + 1 : at - 1, ascending)) {
        page.add(at);
      }
      consumer.accept(page.ids());
      at = at < 0 ? at : next(at, ascending);
    }
  }

  private int next(int from, boolean ascending) {
    return ascending ? open.nextSetBit(from) : from < 0 ? -1 : open.previousSetBit(from);
  }

  /** Some ids. */
  private static final class Page {
    private final long[] ids = new long[PAGE];
    private int size;

    void add(long id) {
      ids[size++] = id;
    }

    boolean isFull() {
      return size == PAGE;
    }

    long[] ids() {
      return Arrays.copyOf(ids, size);
    }
  }
}
