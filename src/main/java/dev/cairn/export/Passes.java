package dev.cairn.export;

import dev.cairn.export.DependencyOrder.Edges;
import java.util.Arrays;
import java.util.BitSet;
import java.util.function.Consumer;

/**
 * Finds the order of an export whose forward references do not fit into memory. It reads the
 * references of the open entities in repeated passes, alternately ascending and descending by id,
 * and writes each entity whose targets are all written. It keeps two bits for each entity in
 * memory, and a fixed number of edges.
 *
 * <p>One pass resolves chains of references that go in one direction. When passes make little
 * progress, the remaining edges are loaded, if they fit, so each entity is read a limited number of
 * times. Entities that are still open then are part of a cycle, depend on one, or belong to chains
 * that keep changing direction and have too many edges: they are written in the order of their ids.
 */
final class Passes {
  /** The number of entities that are read and written at a time. */
  static final int BATCH_ENTITIES = 200;

  /** A pass that writes less than one eighth of the open entities makes little progress. */
  private static final int MIN_PROGRESS_FRACTION = 8;

  private final References references;
  private final Consumer<long[]> writer;
  private final int maxEdges;

  /** The ids that were added and have not been written. */
  private final BitSet open = new BitSet();

  private final BitSet written = new BitSet();

  /** Whether any id was added since the last passes. */
  private boolean hasNew;

  /** The references of entities to other exported ones. */
  interface References {
    /** Visits the targets of these entities, entity by entity, in the given order. */
    void each(long[] ids, Visitor visitor);
  }

  /** Visits the targets of entities. */
  interface Visitor {
    /** Takes a target of {@code id}; false if no more of that entity's targets are needed. */
    boolean target(long id, long target);

    /** Called after the targets of {@code id}. */
    default void end(long id) {}
  }

  /**
   * @param writer receives at most {@link #BATCH_ENTITIES} ids at a time, in the order in which to
   *     write them
   * @param maxEdges maximum number of edges in memory
   */
  Passes(References references, Consumer<long[]> writer, int maxEdges) {
    this.references = references;
    this.writer = writer;
    this.maxEdges = maxEdges;
  }

  /** Adds an entity to be written. */
  void add(long id) {
    open.set(Math.toIntExact(id));
    hasNew = true;
  }

  /** Writes entities that do not wait, until passes in both directions make little progress. */
  void run() {
    boolean ascending = true;
    for (int slow = hasNew ? 0 : 2; slow < 2 && !open.isEmpty(); ascending = !ascending) {
      long before = open.cardinality();
      pages(ascending, this::writeFree);
      slow = (before - open.cardinality()) * MIN_PROGRESS_FRACTION < before ? slow + 1 : 0;
    }
    hasNew = false;
  }

  /** Writes everything that is still open. */
  void finish() {
    var edges = openEdges();
    if (edges.size() > maxEdges) {
      pages(true, this::write);
      return;
    }
    var dependencyOrder = new DependencyOrder(edges.byTargets());
    pages(true, ids -> writeInOrder(dependencyOrder, ids));
  }

  /**
   * Writes the entities of a page whose targets are all written; each counts as written at once.
   */
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

  private void writeInOrder(DependencyOrder dependencyOrder, long[] ids) {
    var direct = Arrays.stream(ids).filter(id -> !dependencyOrder.mustWait(id)).toArray();
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

  /**
   * Passes all open entities to the consumer, page by page; entities that were written meanwhile
   * are skipped.
   */
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

  /** A page of ids. */
  private static final class Page {
    private final long[] ids = new long[BATCH_ENTITIES];
    private int size;

    void add(long id) {
      ids[size++] = id;
    }

    boolean isFull() {
      return size == BATCH_ENTITIES;
    }

    long[] ids() {
      return Arrays.copyOf(ids, size);
    }
  }
}
