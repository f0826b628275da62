package dev.cairn.content.write;

import dev.cairn.access.limit.StoredBytes;
import dev.cairn.platform.database.Columns;
import jakarta.enterprise.context.ApplicationScoped;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.UUID;
import java.util.stream.Stream;

/** Writes the references of the versions that a commit adds. */
@ApplicationScoped
public class ReferenceWriter {
  /** Finds each row by its key, as {@link ContentWriter#REVISE_HEAD} does. */
  static final String END_REFERENCES =
      """
      update reference r set head = false
      from (
        select x.place, x.row from unnest(?, ?) as n (id, version)
        cross join lateral (
          select y.tableoid as place, y.ctid as row from reference y
          where y.repo_id = ? and y.from_id = n.id and y.from_version = n.version
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

  /** Maximum entities whose edges one statement changes or copies. */
  private static final int MAX_ENTITIES = 5_000;

  /** Maximum edges that one statement inserts: each takes its time, and statements have a limit. */
  private static final int MAX_EDGES = 20_000;

  /**
   * Marks the references of versions as no longer belonging to HEAD.
   *
   * @param versions the numbers of the versions, in the order of the entities' {@code ids}
   */
  public void markOutdated(Growth growth, UUID repoId, long[] ids, int[] versions) {
    for (int from = 0; from < ids.length; from += MAX_ENTITIES) {
      int to = Math.min(ids.length, from + MAX_ENTITIES);
      growth.addNeutral(
          END_REFERENCES,
          Arrays.copyOfRange(ids, from, to),
          Arrays.copyOfRange(versions, from, to),
          repoId);
    }
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
    for (int from = 0; from < copies.size(); from += MAX_ENTITIES) {
      copyPart(growth, repoId, copies.subList(from, Math.min(copies.size(), from + MAX_ENTITIES)));
    }
  }

  private static void copyPart(Growth growth, UUID repoId, List<EdgeCopy> copies) {
    growth.add(
        """
        insert into reference (repo_id, from_id, from_version, from_shape_id, ordinal, pointer,
                               to_repo_id, to_id, to_version, to_wref, head)
        select r.repo_id, r.from_id, n.version, r.from_shape_id, r.ordinal, r.pointer,
               r.to_repo_id, r.to_id, r.to_version, r.to_wref, n.head
        from unnest(?, ?, ?, ?) as n (id, stored_version, version, head)
        cross join lateral (
          select * from reference x
          where x.repo_id = ? and x.from_id = n.id and x.from_version = n.stored_version
          offset 0) r
        """,
        BYTES,
        Columns.longs(copies, EdgeCopy::id),
        Columns.ints(copies, EdgeCopy::storedVersion),
        Columns.ints(copies, EdgeCopy::version),
        Columns.booleans(copies, EdgeCopy::isHead),
        repoId);
  }
}
