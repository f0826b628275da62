package dev.cairn.export;

import dev.cairn.content.CollectionShapes;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Comparator;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * Delays entities that cannot be written at their own position, because they refer to a later
 * position or depend on an entity that does. These are few: an entity refers to earlier ones unless
 * it was revised, or refers to a later group. Their edges are kept in memory up to a limit; beyond
 * it, {@link Passes} finds the order. Entities are known only by their {@link Position}.
 */
final class DependencyOrder {
  private static final int FETCH_ROWS = 10_000;

  /** The number of entities that are written at a time. */
  private static final int BATCH_ENTITIES = 200;

  /** Maximum edges that an export keeps in memory, which take about 5 MB. */
  static final int MAX_EDGES = 100_000;

  /**
   * Edges that point forward: first those to a higher id, by the index on inbound edges alone; then
   * those to collections and assertions from earlier groups.
   */
  private static final String FORWARD =
      """
      select f.position as source, t.position as target
      from (
        select r.from_id, r.from_version, r.to_id, r.is_local
        from (select distinct r.to_id, r.from_id from inbound r where r.to_id > r.from_id) i
        cross join lateral (
          select distinct r.from_id, r.from_version, r.to_id, r.is_local from inbound r
          where r.to_id = i.to_id and r.from_id = i.from_id
          offset 0) r
        union all
        select r.from_id, r.from_version, r.to_id, r.is_local
        from (select distinct r.to_id from inbound r) d
        cross join lateral (
          select e.id from present e
          where e.id = d.to_id and (e.kind = 'assertion' or e.shape_id in (%s))
          offset 0) late
        cross join lateral (
          select distinct r.from_id, r.from_version, r.to_id, r.is_local from inbound r
          where r.to_id = late.id and r.to_id < r.from_id
          offset 0) r) r
      cross join lateral (
        select e.position from exported e
        where e.id = r.from_id and e.active and e.version = r.from_version
        offset 0) f
      cross join lateral (
        select e.position from exported e where e.id = r.to_id and e.active offset 0) t
      where r.is_local and t.position > f.position
      limit ?
      """
          .formatted(CollectionShapes.IDS);

  /**
   * All edges from entities that may have to wait: the sources of the forward edges, and their
   * dependents before the last target of such an edge. Entities after that target never wait. The
   * limits end the recursion as soon as there are too many; each waiting entity has an edge.
   */
  private static final String EDGES =
      """
      , waiting (id, position, version, about_id) as (
        select e.id, e.position, e.version,
               case when e.about_repo_id = e.repo_id then e.about_id end
        from unnest(?) n (id)
        cross join lateral (select * from exported e where e.id = n.id offset 0) e
        union
        select e.id, e.position, e.version,
               case when e.about_repo_id = e.repo_id then e.about_id end
        from waiting w
        cross join lateral (
          select r.from_id as id, r.from_version as version from inbound r
          where r.to_id = w.id and r.is_local
          union all
          select a.id, null from present a
          where a.about_id = w.id and a.about_repo_id = a.repo_id and ?
          offset 0) d
        cross join lateral (
          select * from exported e
          where e.id = d.id and e.active and (d.version is null or e.version = d.version)
          offset 0) e
        where e.position < ?
      )
      select source, target
      from (
        select w.position as source, t.position as target
        from (select * from waiting limit ?) w
        cross join lateral (
          select r.to_id as id from edge r
          where r.from_id = w.id and r.from_version = w.version and r.is_local
          union
          select w.about_id where w.about_id is not null
          offset 0) d
        cross join lateral (
          select e.position from exported e where e.id = d.id and e.active offset 0) t
        where t.position <> w.position
        limit ?) edge
      order by target, source
      """;

  /** The positions that wait, ascending, with the number of positions that each still waits for. */
  private final long[] waiting;

  private final int[] missing;

  /** The targets of the edges, ascending, with the index in {@link #waiting} of each source. */
  private final long[] awaited;

  private final int[] waiters;

  /** The last position that any other waits for: after it, nothing waits. */
  private final long last;

  private final BitSet held = new BitSet();
  private final ArrayDeque<Long> ready = new ArrayDeque<>();

  /**
   * Finds the positions that must wait; to be called in the transaction that reads the content.
   *
   * @return empty if there are more than {@code maxEdges} edges
   */
  static Optional<DependencyOrder> of(ExportQuery query, int maxEdges) {
    var forward = new Edges();
    query.each(FORWARD, FETCH_ROWS, forward::take, maxEdges + 1);
    if (forward.size == 0) {
      return Optional.of(none());
    }
    if (forward.size > maxEdges) {
      return Optional.empty();
    }
    long last = forward.last();
    var edges = new Edges();
    query.each(
        EDGES,
        FETCH_ROWS,
        edges::take,
        Arrays.stream(forward.from, 0, forward.size).map(Position::id).distinct().toArray(),
        // Assertions can be dependents only if the last target is an assertion.
        Position.group(last) == Position.ASSERTIONS,
        last,
        maxEdges + 1,
        maxEdges + 1);
    return edges.size > maxEdges ? Optional.empty() : Optional.of(new DependencyOrder(edges));
  }

  /** An order in which nothing waits. */
  static DependencyOrder none() {
    return new DependencyOrder(new Edges());
  }

  /**
   * A position in a cycle, or one that depends on a cycle, does not wait, since no order can
   * satisfy it.
   *
   * @param edges the edges by ascending targets
   */
  DependencyOrder(Edges edges) {
    this.last = edges.last();
    var open = edges.resolvable();
    this.waiting = open.sources();
    this.missing = new int[waiting.length];
    this.awaited = Arrays.copyOf(open.to, open.size);
    this.waiters = new int[open.size];
    for (int i = 0; i < open.size; i++) {
      waiters[i] = Arrays.binarySearch(waiting, open.from[i]);
      missing[waiters[i]]++;
    }
  }

  /** Whether the entity at {@code position} must wait; if so, it is remembered. */
  boolean mustWait(long position) {
    int index = Arrays.binarySearch(waiting, position);
    if (index < 0 || missing[index] == 0) {
      return false;
    }
    held.set(index);
    return true;
  }

  /**
   * To be called when the entity at {@code position} was written; entities that waited for it may
   * become ready.
   */
  void written(long position) {
    for (int i = first(awaited, awaited.length, position);
        i < awaited.length && awaited[i] == position;
        i++) {
      int waiter = waiters[i];
      if (--missing[waiter] == 0 && held.get(waiter)) {
        held.clear(waiter);
        ready.add(waiting[waiter]);
      }
    }
  }

  /**
   * Whether the ready entities must be written before the one at {@code position}: if there are
   * enough of them for a batch, or if the last position that others wait for is reached, after
   * which nothing waits.
   */
  boolean isDue(long position) {
    return ready.size() >= BATCH_ENTITIES || (position >= last && !ready.isEmpty());
  }

  /**
   * Takes a batch of ready positions, in the order in which to write them; empty if there are none.
   * They count as written, so positions that waited only for them follow in the same batch.
   */
  long[] next() {
    var positions = new long[BATCH_ENTITIES];
    int count = 0;
    while (count < BATCH_ENTITIES && !ready.isEmpty()) {
      long position = ready.remove();
      positions[count++] = position;
      written(position);
    }
    return Arrays.copyOf(positions, count);
  }

  /** The index of the first of {@code size} ascending values that is not below {@code value}. */
  private static int first(long[] ascending, int size, long value) {
    int low = 0;
    int high = size;
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (ascending[middle] < value) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }

  /** Edges between positions, as two columns. */
  static final class Edges {
    private long[] from = new long[16];
    private long[] to = new long[16];
    private int size;

    boolean take(ResultSet row) throws SQLException {
      add(row.getLong("source"), row.getLong("target"));
      return true;
    }

    int size() {
      return size;
    }

    /** The same edges by ascending targets. */
    Edges byTargets() {
      var sorted = new Edges();
      IntStream.range(0, size)
          .boxed()
          .sorted(Comparator.comparingLong(i -> to[i]))
          .forEachOrdered(i -> sorted.add(from[i], to[i]));
      return sorted;
    }

    void add(long source, long target) {
      if (size == from.length) {
        from = Arrays.copyOf(from, size * 2);
        to = Arrays.copyOf(to, size * 2);
      }
      from[size] = source;
      to[size++] = target;
    }

    long[] sources() {
      return Arrays.stream(from, 0, size).sorted().distinct().toArray();
    }

    /** The last target of an edge that points forward; below every position if there is none. */
    long last() {
      long last = -1;
      for (int i = 0; i < size; i++) {
        last = to[i] > from[i] ? Math.max(last, to[i]) : last;
      }
      return last;
    }

    /** The edges that require waiting, without cycles and their dependents, in the same order. */
    Edges resolvable() {
      var waiting = sources();
      var needed = new Edges();
      var open = new int[waiting.length];
      for (int i = 0; i < size; i++) {
        boolean waits = Arrays.binarySearch(waiting, to[i]) >= 0;
        if (waits || to[i] > from[i]) {
          needed.add(from[i], to[i]);
        }
        open[Arrays.binarySearch(waiting, from[i])] += waits ? 1 : 0;
      }
      needed.release(waiting, open);
      var resolvable = new Edges();
      for (int i = 0; i < needed.size; i++) {
        if (open[Arrays.binarySearch(waiting, needed.from[i])] == 0) {
          resolvable.add(needed.from[i], needed.to[i]);
        }
      }
      return resolvable;
    }

    /**
     * Counts down as if all positions that wait for nothing were written, then those that waited
     * for them, and so on.
     *
     * @param open for each of {@code waiting}, the number of edges to others of them
     */
    private void release(long[] waiting, int[] open) {
      var free = new ArrayDeque<Integer>();
      for (int i = 0; i < open.length; i++) {
        if (open[i] == 0) {
          free.add(i);
        }
      }
      while (!free.isEmpty()) {
        long position = waiting[free.remove()];
        for (int i = first(to, size, position); i < size && to[i] == position; i++) {
          int waiter = Arrays.binarySearch(waiting, from[i]);
          if (--open[waiter] == 0) {
            free.add(waiter);
          }
        }
      }
    }
  }
}
