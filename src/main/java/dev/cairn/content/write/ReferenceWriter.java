package dev.cairn.content.write;

import dev.cairn.access.limit.StoredBytes;
import dev.cairn.platform.database.Columns;
import jakarta.enterprise.context.ApplicationScoped;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.function.Consumer;
import java.util.function.ToIntFunction;
import java.util.stream.Stream;

/** Writes the references of the versions that a commit adds. */
@ApplicationScoped
public class ReferenceWriter {
  /** Finds each row by its key, as {@link ContentWriter#REVISE_HEAD} does. */
  static final String END_REFERENCES =
      """
      update reference r set head = false
      from (
        select x.place, x.row from unnest(?, ?, ?, ?) as n (id, version, first, last)
        cross join lateral (
          select y.tableoid as place, y.ctid as row from reference y
          where y.repo_id = ? and y.from_id = n.id and y.from_version = n.version
            and y.ordinal between n.first and n.last
          offset 0) x) o
      where r.ctid = o.row and r.tableoid = o.place
      """;

  /** The stored bytes that a reference adds. */
  private static final String BYTES =
      StoredBytes.REFERENCE + " + octet_length(pointer) + coalesce(octet_length(to_wref), 0)";

  /**
   * Maximum characters of all pointers in one statement. The pointers are in memory only while it
   * runs, but several times, so this limit bounds the memory of a commit; no rule for payloads
   * does.
   */
  private static final int MAX_POINTER_CHARACTERS = 1024 * 1024;

  /** Maximum edges that one statement inserts: each takes its time, and statements have a limit. */
  private static final int MAX_EDGES = 20_000;

  /**
   * The same for stored edges that it changes or copies, by {@link StoredEdges#max}, which is more
   * than most payloads have.
   */
  private static final int MAX_STORED_EDGES = 50_000;

  /** Those edges of a version whose ordinals are at least {@code first}, at most {@code last}. */
  record Slice<T>(T of, int first, int last) {}

  /** Passes all edges in parts that one statement can change or copy. */
  static <T> void inParts(List<T> all, ToIntFunction<T> max, Consumer<List<Slice<T>>> statement) {
    var part = new ArrayList<Slice<T>>();
    int left = MAX_STORED_EDGES;
    for (var one : all) {
      int end = max.applyAsInt(one);
      for (int first = 0; first < end; ) {
        int next = Math.min(end, first + left);
        part.add(new Slice<>(one, first, next == end ? Integer.MAX_VALUE : next - 1));
        left -= next - first;
        first = next;
        if (left == 0) {
          statement.accept(part);
          part.clear();
          left = MAX_STORED_EDGES;
        }
      }
    }
    if (!part.isEmpty()) {
      statement.accept(part);
    }
  }

  /** Marks the references of versions as no longer belonging to HEAD. */
  public void markOutdated(Growth growth, UUID repoId, List<StoredEdges> versions) {
    inParts(
        versions,
        StoredEdges::max,
        part ->
            growth.addNeutral(
                END_REFERENCES,
                Columns.longs(part, slice -> slice.of().id()),
                Columns.ints(part, slice -> slice.of().version()),
                Columns.ints(part, Slice::first),
                Columns.ints(part, Slice::last),
                repoId));
  }

  /** Stores the references of new payloads. */
  public void insert(Growth growth, UUID repoId, Stream<Edge> edges) {
    var part = new ArrayList<Edge>();
    long characters = 0;
    for (var edge : (Iterable<Edge>) edges::iterator) {
      int length = edge.pointer().length() + (edge.toWref() == null ? 0 : edge.toWref().length());
      if (characters + length > MAX_POINTER_CHARACTERS || part.size() == MAX_EDGES) {
        insertPart(growth, repoId, part);
        growth.send();
        part.clear();
        characters = 0;
      }
      characters += length;
      part.add(edge);
    }
    insertPart(growth, repoId, part);
  }

  private static void insertPart(Growth growth, UUID repoId, List<Edge> edges) {
    if (edges.isEmpty()) {
      return;
    }
    growth.addRows(
        edges.size(),
        """
        insert into reference (repo_id, from_id, from_version, from_shape_id, ordinal, pointer,
                               to_repo_id, to_id, to_version, to_wref, head)
        select ?, n.*
        from unnest(?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
          as n (from_id, from_version, from_shape_id, ordinal, pointer, to_repo_id, to_id,
                to_version, to_wref, head)
        """,
        BYTES,
        repoId,
        Columns.longs(edges, Edge::fromId),
        Columns.ints(edges, Edge::fromVersion),
        Columns.longs(edges, Edge::fromShapeId),
        Columns.ints(edges, Edge::ordinal),
        Columns.strings(edges, edge -> edge.pointer().toString()),
        Columns.uuids(edges, Edge::toRepoId),
        Columns.longs(edges, Edge::toId),
        Columns.ints(edges, Edge::toVersion),
        Columns.strings(edges, Edge::toWref),
        Columns.booleans(edges, Edge::isHead));
  }

  /** Copies the references of stored versions to the new versions that keep their payload. */
  public void copy(Growth growth, UUID repoId, List<EdgeCopy> copies) {
    inParts(copies, copy -> copy.stored().max(), part -> copyPart(growth, repoId, part));
  }

  private static void copyPart(Growth growth, UUID repoId, List<Slice<EdgeCopy>> part) {
    growth.add(
        """
        insert into reference (repo_id, from_id, from_version, from_shape_id, ordinal, pointer,
                               to_repo_id, to_id, to_version, to_wref, head)
        select r.repo_id, r.from_id, n.version, r.from_shape_id, r.ordinal, r.pointer,
               r.to_repo_id, r.to_id, r.to_version, r.to_wref, n.head
        from unnest(?, ?, ?, ?, ?, ?) as n (id, stored_version, version, head, first, last)
        cross join lateral (
          select * from reference x
          where x.repo_id = ? and x.from_id = n.id and x.from_version = n.stored_version
            and x.ordinal between n.first and n.last
          offset 0) r
        """,
        BYTES,
        Columns.longs(part, slice -> slice.of().stored().id()),
        Columns.ints(part, slice -> slice.of().stored().version()),
        Columns.ints(part, slice -> slice.of().version()),
        Columns.booleans(part, slice -> slice.of().isHead()),
        Columns.ints(part, Slice::first),
        Columns.ints(part, Slice::last),
        repoId);
  }
}
