package dev.cairn.commit;

import static dev.cairn.commit.Columns.booleans;
import static dev.cairn.commit.Columns.ints;
import static dev.cairn.commit.Columns.longs;
import static dev.cairn.commit.Columns.strings;

import dev.cairn.access.StoredBytes;
import dev.cairn.commit.VersionRow.ResolvedReference;
import dev.cairn.platform.Database;
import jakarta.enterprise.context.ApplicationScoped;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

/** Stores the references of the versions that a commit makes. */
@ApplicationScoped
class ReferenceWriter {
  /** Finds each row by its key, as {@link CommitWriter#REVISE_HEAD} does. */
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

  /** What a reference adds to the stored bytes. */
  private static final String BYTES = StoredBytes.REFERENCE + " + octet_length(pointer)";

  /**
   * How many characters of pointers one statement takes. They exist only while it runs, a few times
   * over, so that this and not {@link PayloadRules} bounds the memory of a commit.
   */
  private static final int MAX_POINTERS_OF_STATEMENT = 1024 * 1024;

  private final Database database;

  /** A reference from a version, at its place among the version's references. */
  private record Edge(VersionRow from, int ordinal, ResolvedReference to) {}

  ReferenceWriter(Database database) {
    this.database = database;
  }

  /**
   * Marks the references of versions as no longer those of a HEAD.
   *
   * @param versions the numbers of the versions, in the order of the entities' {@code ids}
   */
  void end(Commit commit, long[] ids, int[] versions) {
    database.update(END_REFERENCES, ids, versions, commit.repoId());
  }

  /**
   * Stores the references of new payloads.
   *
   * @return how many bytes that takes
   */
  long insert(Commit commit, List<VersionRow> versions) {
    var edges = new ArrayList<Edge>();
    long characters = 0;
    long bytes = 0;
    for (var row : versions) {
      int ordinal = 0;
      for (var reference : row.references()) {
        int length = reference.pointer().length();
        if (characters + length > MAX_POINTERS_OF_STATEMENT) {
          bytes += insertEdges(commit, edges);
          edges.clear();
          characters = 0;
        }
        characters += length;
        edges.add(new Edge(row, ordinal++, reference));
      }
    }
    return bytes + insertEdges(commit, edges);
  }

  private long insertEdges(Commit commit, List<Edge> edges) {
    if (edges.isEmpty()) {
      return 0;
    }
    return Growth.of(
        database,
        """
        insert into reference (repo_id, from_id, from_version, from_shape_id, ordinal, pointer,
                               to_repo_id, to_id, to_version, head)
        select ?, n.*
        from unnest(?, ?, ?, ?, ?, ?, ?, ?, ?)
          as n (from_id, from_version, from_shape_id, ordinal, pointer, to_repo_id, to_id,
                to_version, head)
        """,
        BYTES,
        commit.repoId(),
        longs(edges, e -> e.from().entity().id),
        ints(edges, e -> e.from().version()),
        longs(edges, e -> e.from().entity().shapeId()),
        ints(edges, Edge::ordinal),
        strings(edges, e -> e.to().pointer().toString()),
        edges.stream().map(e -> e.to().target().repoId(commit.repoId())).toArray(UUID[]::new),
        longs(edges, e -> e.to().target().id),
        ints(edges, e -> e.to().version()),
        booleans(edges, e -> e.from().version() == e.from().entity().version));
  }

  /**
   * Copies the references of stored versions to those that keep their payload.
   *
   * @return how many bytes that takes
   */
  long copy(Commit commit, List<VersionRow> versions) {
    var copies = versions.stream().filter(row -> row.data() == null).toList();
    if (copies.isEmpty()) {
      return 0;
    }
    return Growth.of(
        database,
        """
        insert into reference (repo_id, from_id, from_version, from_shape_id, ordinal, pointer,
                               to_repo_id, to_id, to_version, head)
        select r.repo_id, r.from_id, n.version, r.from_shape_id, r.ordinal, r.pointer,
               r.to_repo_id, r.to_id, r.to_version, n.head
        from unnest(?, ?, ?, ?) as n (id, stored_version, version, head)
        cross join lateral (
          select * from reference x
          where x.repo_id = ? and x.from_id = n.id and x.from_version = n.stored_version
          offset 0) r
        """,
        BYTES,
        longs(copies, v -> v.entity().id),
        ints(copies, v -> v.entity().storedVersion),
        ints(copies, VersionRow::version),
        booleans(copies, v -> v.version() == v.entity().version),
        commit.repoId());
  }
}
