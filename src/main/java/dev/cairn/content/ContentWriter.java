package dev.cairn.content;

import static dev.cairn.access.Permission.REPO_WRITE;

import dev.cairn.access.Recheck;
import dev.cairn.access.RepositoryAccess;
import dev.cairn.access.limit.StoredBytes;
import dev.cairn.model.ErrorCode;
import dev.cairn.model.Problem;
import dev.cairn.platform.database.Database;
import jakarta.enterprise.context.ApplicationScoped;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.UUID;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * Writes the changes of a commit in its transaction. Each method runs one statement for one row or
 * thousands, and returns the bytes that it stored.
 */
@ApplicationScoped
public class ContentWriter {
  // An update of many rows finds each row by its key in a subquery that the planner cannot reorder
  // (`offset 0`), and updates it by its ctid. In a plain join the planner may begin with the table.
  static final String REVISE_HEAD =
      """
      update entity e
      set version = o.version, active = o.active, shape_version = o.shape_version,
          data = coalesce(o.data, e.data), data_hash = o.data_hash, author = ?, updated_at = ?
      from (
        select n.*, x.place, x.row, x.length
        from unnest(?, ?, ?, ?, ?, ?)
          as n (id, version, active, shape_version, data, data_hash)
        cross join lateral (
          select y.tableoid as place, y.ctid as row, octet_length(y.data) as length from entity y
          where y.repo_id = ? and y.id = n.id
          offset 0) x) o
      where e.ctid = o.row and e.tableoid = o.place
      """;

  /** The stored bytes that a row with a payload adds. */
  private static final String PAYLOAD_BYTES = StoredBytes.ROW + " + octet_length(data)";

  private final Database database;
  private final Recheck recheck;

  ContentWriter(Database database, Recheck recheck) {
    this.database = database;
    this.recheck = recheck;
  }

  /** Adds entities to HEAD. */
  public long insertEntities(Commit commit, List<NewEntity> added) {
    return Growth.of(
        database,
        """
        insert into entity (repo_id, id, kind, shape_id, shape_name, name, version, active,
                            shape_version, data, data_hash, about_repo_id, about_id,
                            about_version, about_wref, collection_key, author, created_seq,
                            created_op, created_at, updated_at)
        select ?, n.id, n.kind, n.shape_id, n.shape_name, n.name, n.version, n.active,
               n.shape_version, n.data, n.data_hash, n.about_repo_id, n.about_id,
               n.about_version, n.about_wref, n.collection_key, ?, ?, n.created_op, t.now, t.now
        from unnest(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
          as n (id, kind, shape_id, shape_name, name, version, active, shape_version, data,
                data_hash, about_repo_id, about_id, about_version, about_wref, collection_key,
                created_op),
          (select ?::timestamptz as now) t
        """,
        PAYLOAD_BYTES,
        commit.repoId(),
        commit.author(),
        commit.seq(),
        Columns.longs(added, NewEntity::id),
        Columns.strings(added, entity -> entity.kind().wire()),
        Columns.longs(added, NewEntity::shapeId),
        Columns.strings(added, NewEntity::shapeName),
        Columns.strings(added, NewEntity::name),
        Columns.ints(added, NewEntity::version),
        Columns.booleans(added, NewEntity::active),
        Columns.ints(added, NewEntity::shapeVersion),
        Columns.strings(added, NewEntity::data),
        Columns.bytes(added, NewEntity::dataHash),
        about(added, StoredEntity.About::repoId).toArray(UUID[]::new),
        about(added, StoredEntity.About::id).toArray(Long[]::new),
        about(added, StoredEntity.About::version).toArray(Integer[]::new),
        about(added, StoredEntity.About::wref).toArray(String[]::new),
        Columns.bytes(added, NewEntity::collectionKey),
        Columns.ints(added, NewEntity::opIndex),
        commit.createdAt());
  }

  /** A part of the targets of assertions; null for anything else. */
  private static <T> Stream<T> about(List<NewEntity> added, Function<StoredEntity.About, T> part) {
    return added.stream().map(entity -> entity.about() == null ? null : part.apply(entity.about()));
  }

  /**
   * Adds versions. A version without a payload copies that of HEAD, so this must run before {@link
   * #revise}.
   */
  public long insertVersions(Commit commit, List<NewVersion> versions) {
    return Growth.of(
        database,
        """
        insert into entity_version (repo_id, entity_id, version, valid_from, op_index, operation,
                                    active, shape_id, shape_version, about_id, data, data_hash)
        select ?, n.entity_id, n.version, ?, n.op_index, n.operation, n.active, n.shape_id,
               n.shape_version, n.about_id,
               coalesce(n.data, (select e.data from entity e
                                 where e.repo_id = ? and e.id = n.entity_id)),
               n.data_hash
        from unnest(?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
          as n (entity_id, version, op_index, operation, active, shape_id, shape_version, about_id,
                data, data_hash)
        """,
        PAYLOAD_BYTES,
        commit.repoId(),
        commit.seq(),
        commit.repoId(),
        Columns.longs(versions, NewVersion::entityId),
        Columns.ints(versions, NewVersion::version),
        Columns.ints(versions, NewVersion::opIndex),
        Columns.strings(versions, NewVersion::operation),
        Columns.booleans(versions, NewVersion::active),
        Columns.longs(versions, NewVersion::shapeId),
        Columns.ints(versions, NewVersion::shapeVersion),
        versions.stream().map(NewVersion::aboutId).toArray(Long[]::new),
        Columns.strings(versions, NewVersion::data),
        Columns.bytes(versions, NewVersion::dataHash));
  }

  /** Changes entities in HEAD that were stored before the commit. */
  public long revise(Commit commit, List<Revision> revised) {
    return Growth.of(
        database,
        REVISE_HEAD,
        "octet_length(e.data) - o.length",
        commit.author(),
        commit.createdAt(),
        Columns.longs(revised, Revision::id),
        Columns.ints(revised, Revision::version),
        Columns.booleans(revised, Revision::active),
        Columns.ints(revised, Revision::shapeVersion),
        Columns.strings(revised, Revision::data),
        Columns.bytes(revised, Revision::dataHash),
        commit.repoId());
  }

  /**
   * Writes the log and the head. The statement checks again whether the commit is allowed: whether
   * the repository was archived, which requires the head's lock, and whether the account or its
   * token lost rights while the commit waited and was planned.
   *
   * @param operations how many operations the commit has
   * @param nextEntityId the next entity id that is free
   * @param bytes the bytes that the commit stored
   * @throws Problem {@link ErrorCode#ARCHIVED}, or the problem of {@link Recheck}
   */
  public void insertCommit(
      RepositoryAccess access, Commit commit, int operations, long nextEntityId, long bytes) {
    var parameters =
        new ArrayList<Object>(
            Arrays.asList(
                commit.seq(),
                nextEntityId,
                commit.hash(),
                commit.createdAt(),
                bytes,
                commit.repoId(),
                commit.seq(),
                commit.commitId(),
                commit.hash(),
                commit.parentHash(),
                commit.author(),
                commit.accountId(),
                commit.message(),
                operations,
                commit.createdAt(),
                nextEntityId,
                commit.repoId()));
    parameters.addAll(Recheck.parameters(access, REPO_WRITE));
    int inserted =
        database.update(
            """
            with head as (
              update repository_head
              set seq = ?, next_entity_id = ?, hash = ?, committed_at = ?::timestamptz,
                  stored_bytes = stored_bytes + ?
              where repo_id = ?)
            insert into commit_log (repo_id, seq, commit_id, hash, parent_hash, author, account_id,
                                    message, operation_count, created_at, next_entity_id)
            select r.id, ?, ?, ?, ?, ?, ?::uuid, ?::text, ?, ?::timestamptz, ?::bigint
            from repository r join organization o on o.id = r.org_id
            where r.id = ? and r.archived_at is null and o.archived_at is null and
            """
                + Recheck.CONDITION,
            parameters.toArray());
    if (inserted == 0) {
      recheck.requireStill(access, REPO_WRITE);
      throw archived();
    }
  }

  /** The problem of a commit to an archived repository or organization. */
  public static Problem archived() {
    return Problem.of(ErrorCode.ARCHIVED, "The repository or its organization is archived.");
  }
}
