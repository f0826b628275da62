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
 * What cannot be written at its position, because it refers to something behind it, and what
 * depends on that. Entities refer to what was there before them, unless they were revised since, or
 * refer to what is of a later group; so these are few. Their edges are kept in memory, up to a
 * number; where there are more, {@link Passes} finds the order. Knows positions, see {@link
 * Position}, and nothing else of them.
 */
final class DependencyOrder {
  private static final int FETCH = 10_000;
  private static final int BATCH = 200;

  /** How many edges an export keeps in memory, which take about 5 MB. */
  static final int MAX_EDGES = 100_000;

  /**
   * Edges that point forward. First those to a higher id, by the index of inbound edges alone; then
   * those to collections and assertions out of what comes before these.
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
   * All edges out of what may have to wait: the beginnings of the edges that point forward, and
   * what depends on these and comes before the last end of such an edge. What comes behind that one
   * has nothing to wait for. The limits end the recursion as soon as there are too many; each of
   * those that wait has an edge.
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

  /** Who waits, ascending, with the number of what each still waits for. */
  private final long[] waiting;

  private final int[] missing;

  /** The edges by what is waited for, ascending; beside it the index of who waits. */
  private final long[] awaited;

  private final int[] waiters;

  /** The last position that anybody waits for: behind it everything is in order. */
  private final long last;

  private final BitSet held = new BitSet();
  private final ArrayDeque<Long> ready = new ArrayDeque<>();

  /**
   * Finds out what has to wait; in the transaction in which the content is read.
   *
   * @return empty if that takes more than {@code maxEdges} edges
   */
  static Optional<DependencyOrder> of(ExportQuery query, int maxEdges) {
    var forward = new Edges();
    query.each(FORWARD, FETCH, forward::take, maxEdges + 1);
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
        FETCH,
        edges::take,
        Arrays.stream(forward.from, 0, forward.size).map(Position::id).distinct().toArray(),
        // No assertion that comes before the last one means no need to look for any.
        Position.group(last) == Position.ASSERTIONS,
        last,
        maxEdges + 1,
        maxEdges + 1);
    return edges.size > maxEdges ? Optional.empty() : Optional.of(new DependencyOrder(edges));
  }

  /** Nothing waits. */
  static DependencyOrder none() {
    return new DependencyOrder(new Edges());
  }

  /**
   * Who goes round in a circle, or depends on one that does, waits for nothing: it could not be
   * added anywhere.
   *
   * @param edges by ascending ends
   */
  DependencyOrder(Edges edges) {
    this.last = edges.last();
    var open = edges.resolvable();
    this.waiting = open.beginnings();
    this.missing = new int[waiting.length];
    this.awaited = Arrays.copyOf(open.to, open.size);
    this.waiters = new int[open.size];
    for (int i = 0; i < open.size; i++) {
      waiters[i] = Arrays.binarySearch(waiting, open.from[i]);
      missing[waiters[i]]++;
    }
  }

  /** Whether what stands at {@code position} has to wait; it is then remembered. */
  boolean holds(long position) {
    int index = Arrays.binarySearch(waiting, position);
    if (index < 0 || missing[index] == 0) {
      return false;
    }
    held.set(index);
    return true;
  }

  /** What stood at {@code position} was written; some of what waited may be ready now. */
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
   * Whether what is ready is to be written before what stands at {@code position}. Until the last
   * position that is waited for, all that depends on it waits too; from there on nothing does.
   */
  boolean isDue(long position) {
    return ready.size() >= BATCH || (position >= last && !ready.isEmpty());
  }

  /**
   * Takes some of what is ready, in the order in which to write it; none where none is. It counts
   * as written, and what waited for it alone follows in the same batch.
   */
  long[] next() {
    var positions = new long[BATCH];
    int count = 0;
    while (count < BATCH && !ready.isEmpty()) {
      long position = ready.remove();
      positions[count++] = position;
      written(position);
    }
    return Arrays.copyOf(positions, count);
  }

  /** The first of so many ascending values that is not below {@code value}. */
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

  /** Edges by positions, as two columns. */
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

    /** The same edges by ascending ends. */
    Edges byEnds() {
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

    long[] beginnings() {
      return Arrays.stream(from, 0, size).sorted().distinct().toArray();
    }

    /** The last end of an edge that points forward; below every position where there is none. */
    long last() {
      long last = -1;
      for (int i = 0; i < size; i++) {
        last = to[i] > from[i] ? Math.max(last, to[i]) : last;
      }
      return last;
    }

    /** Those that make something wait, without circles and what depends on them; same order. */
    Edges resolvable() {
      var waiting = beginnings();
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
     * Counts down as if everything were written that waits for nothing, and then what waited for
     * it.
     *
     * @param open for each of {@code waiting} the number of edges to others of them
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
