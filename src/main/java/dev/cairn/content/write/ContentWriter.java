package dev.cairn.content.write;

import static dev.cairn.access.Permission.REPO_CONFIGURE;
import static dev.cairn.access.Permission.REPO_WRITE;

import dev.cairn.access.Recheck;
import dev.cairn.access.RepositoryAccess;
import dev.cairn.access.limit.StoredBytes;
import dev.cairn.content.Commit;
import dev.cairn.content.CommitStamp;
import dev.cairn.content.FieldHashes;
import dev.cairn.platform.database.Columns;
import dev.cairn.platform.database.Database;
import jakarta.enterprise.context.ApplicationScoped;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.UUID;
import java.util.function.Function;
import java.util.function.ToLongFunction;

/**
 * Writes the changes of commits in their transaction: of one, or of some of the same repository in
 * the order of their sequence numbers. Each method adds one statement for one row or thousands.
 */
@ApplicationScoped
public class ContentWriter {
  // An update of many rows finds each row by its key in a subquery that the planner cannot reorder
  // (`offset 0`), and updates it by its ctid. In a plain join the planner may begin with the table.
  static final String REVISE_HEAD =
      """
      update entity e
      set version = o.version, active = o.active, shape_version = o.shape_version,
          data = coalesce(o.data, e.data), data_hash = o.data_hash,
          is_rewritten = case when o.data is null then e.is_rewritten else o.is_rewritten end,
          field_hashes = coalesce(o.field_hashes::int[], e.field_hashes), author = o.author,
          updated_at = o.created_at
      from (
        select n.*, c.author, c.created_at, x.place, x.row, x.length
        from unnest(?, ?, ?, ?, ?, ?, ?, ?, ?)
          as n (seq, id, version, active, shape_version, data, data_hash, is_rewritten,
                field_hashes)
        join unnest(?, ?, ?) as c (seq, author, created_at) on c.seq = n.seq
        cross join lateral (
          select y.tableoid as place, y.ctid as row, octet_length(y.data) as length from entity y
          where y.repo_id = ? and y.id = n.id
          offset 0) x) o
      where e.ctid = o.row and e.tableoid = o.place
      """;

  /** Ends where {@link Recheck#tokenConditionOfRows} follows. */
  static final String INSERT_COMMITS =
      """
      with head as (
        update repository_head
        set seq = ?, next_entity_id = ?, hash = ?, committed_at = ?::timestamptz,
            stored_bytes = stored_bytes + ?
        where repo_id = ?),
      due as (
        update search_index set newest_seq = ?, due_at = coalesce(due_at, now())
        where repo_id = ?),
      counts as (
        insert into entity_count as c (repo_id, shape_id, kind, active, count)
        select ?, n.shape_id, n.kind, n.active, n.change
        from unnest(?, ?, ?, ?) as n (shape_id, kind, active, change)
        on conflict (repo_id, shape_id, kind, active) do update set count = c.count + excluded.count)
      insert into commit_log (repo_id, seq, commit_id, hash, parent_hash, author, account_id,
                              may_configure, message, operation_count, created_at, next_entity_id)
      select r.id, h.seq, h.commit_id, h.hash, h.parent_hash, h.author, h.account_id,
             h.may_configure and m.role = any (?), h.message, h.operation_count, h.created_at,
             h.next_entity_id
      from unnest(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
        as h (seq, commit_id, hash, parent_hash, author, account_id, may_configure, message,
              operation_count, created_at, next_entity_id, pat, run_id, session_id,
              component_token)
      join repository r on r.id = ?
      join organization o on o.id = r.org_id
      cross join lateral (
        select c.role from member c
        where c.org_id = r.org_id and c.account_id = h.account_id
        offset 0) m
      where r.archived_at is null and o.archived_at is null and m.role = any (?) and
      """;

  /** The stored bytes that a row with a payload adds. */
  private static final String PAYLOAD_BYTES = StoredBytes.ROW + " + octet_length(data)";

  private final Database database;

  /**
   * A commit as it is logged.
   *
   * @param holder the account that made it, and its token
   * @param mayConfigure whether that token, when the request was authorized, {@linkplain
   *     RepositoryAccess#canConfigureUndelegated could configure} the repository
   * @param operations how many operations it has
   * @param nextEntityId the next entity id that is free after it
   */
  public record LoggedCommit(
      Commit commit,
      Recheck.Holder holder,
      boolean mayConfigure,
      int operations,
      long nextEntityId) {

    /** A commit that was made with this access. */
    public static LoggedCommit of(
        Commit commit, RepositoryAccess access, int operations, long nextEntityId) {
      return new LoggedCommit(
          commit,
          Recheck.Holder.of(access.account()),
          access.canConfigureUndelegated(),
          operations,
          nextEntityId);
    }
  }

  ContentWriter(Database database) {
    this.database = database;
  }

  /** Adds entities to HEAD. */
  public void insertEntities(Growth growth, List<CommitStamp> commits, List<NewEntity> added) {
    growth.addRows(
        added.size(),
        """
        insert into entity (repo_id, id, kind, shape_id, shape_name, name, version, active,
                            shape_version, data, data_hash, is_rewritten, field_hashes,
                            about_repo_id,
                            about_id, about_version, about_wref, collection_key, author,
                            created_seq, created_op, created_at, updated_at)
        select ?, n.id, n.kind, n.shape_id, n.shape_name, n.name, n.version, n.active,
               n.shape_version, n.data, n.data_hash, n.is_rewritten, n.field_hashes::int[],
               n.about_repo_id,
               n.about_id, n.about_version, n.about_wref, n.collection_key, c.author, c.seq, n.created_op,
               c.created_at, c.created_at
        from unnest(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
          as n (seq, id, kind, shape_id, shape_name, name, version, active, shape_version, data,
                data_hash, is_rewritten, field_hashes, about_repo_id, about_id, about_version, about_wref, collection_key,
                created_op)
        join unnest(?, ?, ?) as c (seq, author, created_at) on c.seq = n.seq
        """,
        PAYLOAD_BYTES,
        repoId(commits),
        Columns.longs(added, NewEntity::seq),
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
        Columns.booleans(added, NewEntity::isRewritten),
        fieldHashes(added, repoId(commits), NewEntity::shapeId, NewEntity::data),
        Columns.uuids(added, about(StoredEntity.About::repoId)),
        Columns.nullableLongs(added, about(StoredEntity.About::id)),
        Columns.nullableInts(added, about(StoredEntity.About::version)),
        Columns.strings(added, about(StoredEntity.About::wref)),
        Columns.bytes(added, NewEntity::collectionKey),
        Columns.ints(added, NewEntity::opIndex),
        Columns.longs(commits, CommitStamp::seq),
        Columns.strings(commits, CommitStamp::author),
        times(commits));
  }

  /** The hashes of the values in data, as literals; null where the data is. */
  private static <T> String[] fieldHashes(
      List<T> entities, UUID repoId, ToLongFunction<T> shapeId, Function<T, String> data) {
    return Columns.strings(
        entities,
        entity ->
            data.apply(entity) == null
                ? null
                : new FieldHashes(repoId, shapeId.applyAsLong(entity)).literal(data.apply(entity)));
  }

  private static UUID repoId(List<CommitStamp> commits) {
    return commits.getFirst().repoId();
  }

  private static Instant[] times(List<CommitStamp> commits) {
    return commits.stream().map(CommitStamp::createdAt).toArray(Instant[]::new);
  }

  /** A part of the target of an assertion; null for anything else. */
  private static <T> Function<NewEntity, T> about(Function<StoredEntity.About, T> part) {
    return entity -> entity.about() == null ? null : part.apply(entity.about());
  }

  /**
   * Adds versions. A version without a payload copies that of HEAD, so this must run before {@link
   * #revise}.
   */
  public void insertVersions(Growth growth, UUID repoId, List<NewVersion> versions) {
    growth.addRows(
        versions.size(),
        """
        insert into entity_version (repo_id, entity_id, version, valid_from, op_index, operation,
                                    active, shape_id, shape_version, about_id, data, data_hash,
                                    written_data)
        select ?, n.entity_id, n.version, n.seq, n.op_index, n.operation, n.active, n.shape_id,
               n.shape_version, n.about_id,
               coalesce(n.data, (select e.data from entity e
                                 where e.repo_id = ? and e.id = n.entity_id)),
               n.data_hash, n.written_data
        from unnest(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
          as n (seq, entity_id, version, op_index, operation, active, shape_id, shape_version, about_id,
                data, data_hash, written_data)
        """,
        PAYLOAD_BYTES + " + coalesce(octet_length(written_data), 0)",
        repoId,
        repoId,
        Columns.longs(versions, NewVersion::seq),
        Columns.longs(versions, NewVersion::entityId),
        Columns.ints(versions, NewVersion::version),
        Columns.ints(versions, NewVersion::opIndex),
        Columns.strings(versions, NewVersion::operation),
        Columns.booleans(versions, NewVersion::active),
        Columns.longs(versions, NewVersion::shapeId),
        Columns.ints(versions, NewVersion::shapeVersion),
        Columns.nullableLongs(versions, NewVersion::aboutId),
        Columns.strings(versions, NewVersion::data),
        Columns.bytes(versions, NewVersion::dataHash),
        Columns.strings(versions, NewVersion::writtenData));
  }

  /** Changes entities in HEAD that were stored before the commits; none of them twice. */
  public void revise(Growth growth, List<CommitStamp> commits, List<Revision> revised) {
    growth.addRows(
        revised.size(),
        REVISE_HEAD,
        "octet_length(e.data) - o.length",
        Columns.longs(revised, Revision::seq),
        Columns.longs(revised, Revision::id),
        Columns.ints(revised, Revision::version),
        Columns.booleans(revised, Revision::active),
        Columns.ints(revised, Revision::shapeVersion),
        Columns.strings(revised, Revision::data),
        Columns.bytes(revised, Revision::dataHash),
        Columns.booleans(revised, Revision::isRewritten),
        fieldHashes(revised, repoId(commits), Revision::shapeId, Revision::data),
        Columns.longs(commits, CommitStamp::seq),
        Columns.strings(commits, CommitStamp::author),
        times(commits),
        repoId(commits));
  }

  /**
   * Writes the log, the head and the counts, and marks the search index as due. The statement
   * checks again whether each commit is allowed: whether the repository was archived, which
   * requires the head's lock, and whether the account or its token lost rights while the commit
   * waited and was planned.
   *
   * @param bytes the bytes that the commits stored
   * @param counts how the commits changed the numbers of entities
   * @return whether all commits were allowed; if not, the transaction must be rolled back
   */
  public boolean insertCommits(List<LoggedCommit> logged, long bytes, CountChanges counts) {
    var last = logged.getLast();
    var commits = logged.stream().map(LoggedCommit::commit).toList();
    var holders = logged.stream().map(LoggedCommit::holder).toList();
    var repoId = last.commit().repoId();
    var parameters = new ArrayList<Object>();
    Collections.addAll(
        parameters,
        last.commit().seq(),
        last.nextEntityId(),
        last.commit().hash(),
        last.commit().createdAt(),
        bytes,
        repoId,
        last.commit().seq(),
        repoId,
        repoId);
    parameters.addAll(counts.columns());
    Collections.addAll(
        parameters,
        Recheck.roles(REPO_CONFIGURE),
        Columns.longs(commits, Commit::seq),
        Columns.strings(commits, Commit::commitId),
        Columns.bytes(commits, Commit::hash),
        Columns.bytes(commits, Commit::parentHash),
        Columns.strings(commits, Commit::author),
        Columns.uuids(commits, Commit::accountId),
        Columns.booleans(logged, LoggedCommit::mayConfigure),
        Columns.strings(commits, Commit::message),
        Columns.ints(logged, LoggedCommit::operations),
        times(commits.stream().map(Commit::stamp).toList()),
        Columns.longs(logged, LoggedCommit::nextEntityId),
        Columns.strings(holders, Recheck.Holder::pat),
        Columns.uuids(holders, Recheck.Holder::runId),
        Columns.uuids(holders, Recheck.Holder::sessionId),
        Columns.strings(holders, Recheck.Holder::componentToken),
        repoId,
        Recheck.roles(REPO_WRITE));
    int inserted =
        database.update(
            INSERT_COMMITS + Recheck.tokenConditionOfRows(holders), parameters.toArray());
    return inserted == logged.size();
  }
}
