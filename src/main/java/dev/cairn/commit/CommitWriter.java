package dev.cairn.commit;

import static dev.cairn.access.Permission.REPO_WRITE;

import dev.cairn.access.Recheck;
import dev.cairn.access.RepositoryAccess;
import dev.cairn.access.StoredBytes;
import dev.cairn.model.ErrorCode;
import dev.cairn.model.Problem;
import dev.cairn.platform.Database;
import jakarta.enterprise.context.ApplicationScoped;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.UUID;
import java.util.function.Function;

/** Stores a plan: the same few statements for one operation or thousands, in the caller's tx. */
@ApplicationScoped
class CommitWriter {
  // What changes many rows finds each of them by its key in a subquery that cannot be turned around
  // (`offset 0`), and changes it by its place. In a plain join the planner may begin with the
  // table.
  static final String END_VERSIONS =
      """
      update entity_version v set valid_to = ?
      from (
        select x.place, x.row from unnest(?, ?) as n (id, version)
        cross join lateral (
          select y.tableoid as place, y.ctid as row from entity_version y
          where y.repo_id = ? and y.entity_id = n.id and y.version = n.version
          offset 0) x) o
      where v.ctid = o.row and v.tableoid = o.place
      """;

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

  /** What a row with a payload adds. */
  private static final String PAYLOAD = StoredBytes.ROW + " + octet_length(data)";

  private final Database database;
  private final Recheck recheck;
  private final Renaming renaming;
  private final ReferenceWriter references;
  private final StoredBytes storedBytes;

  CommitWriter(
      Database database,
      Recheck recheck,
      Renaming renaming,
      ReferenceWriter references,
      StoredBytes storedBytes) {
    this.database = database;
    this.recheck = recheck;
    this.renaming = renaming;
    this.references = references;
    this.storedBytes = storedBytes;
  }

  /**
   * Writes everything that the plan holds.
   *
   * @throws Problem {@code PAYLOAD_TOO_LARGE} if the organization would store more than its quota
   */
  void write(RepositoryAccess access, Commit commit, CommitPlan plan) {
    storedBytes.requireRoom(access.orgId(), 1);
    // Renames first: they change texts of the database, and what follows is written with the names
    // that hold at the end.
    long bytes = renaming.apply(commit, plan.renames);
    var texts = new StoredTexts(plan.versions);
    var added = plan.touched.stream().filter(EntityState::isNew).toList();
    var revised = plan.touched.stream().filter(entity -> !entity.isNew()).toList();
    var firstOp = new HashMap<EntityState, Integer>();
    plan.versions.forEach(row -> firstOp.putIfAbsent(row.entity(), row.opIndex()));
    bytes +=
        texts.inParts(
            added, texts::last, (part, data) -> insertEntities(commit, part, firstOp::get, data));
    bytes +=
        texts.inParts(plan.versions, texts::of, (part, data) -> insertVersions(commit, part, data));
    if (!revised.isEmpty()) {
      supersede(commit, revised);
      bytes +=
          texts.inParts(revised, texts::last, (part, data) -> updateEntities(commit, part, data));
      bytes += references.copy(commit, plan.versions);
    }
    bytes += references.insert(commit, plan.versions);
    bytes += renaming.record(commit, plan.renames);
    bytes += StoredBytes.ROW + utf8Length(commit.message());
    storedBytes.requireRoom(access.orgId(), bytes);
    insertCommit(access, commit, plan, bytes);
    storedBytes.addAfterCommit(access.orgId(), bytes);
  }

  private static int utf8Length(String text) {
    return text == null ? 0 : text.getBytes(StandardCharsets.UTF_8).length;
  }

  private long insertEntities(
      Commit commit,
      List<EntityState> added,
      Function<EntityState, Integer> firstOp,
      String[] texts) {
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
        PAYLOAD,
        commit.repoId(),
        commit.author(),
        commit.seq(),
        Columns.longs(added, e -> e.id),
        Columns.strings(added, e -> e.kind.wire()),
        Columns.longs(added, EntityState::shapeId),
        Columns.strings(added, EntityState::shapeName),
        Columns.strings(added, e -> e.name),
        Columns.ints(added, e -> e.version),
        Columns.booleans(added, e -> e.active),
        Columns.ints(added, e -> e.shapeVersion),
        texts,
        Columns.bytes(added, e -> e.dataHash),
        added.stream().map(e -> e.about == null ? null : e.about.repoId()).toArray(UUID[]::new),
        added.stream().map(e -> e.about == null ? null : e.about.id()).toArray(Long[]::new),
        added.stream().map(e -> e.about == null ? null : e.about.version()).toArray(Integer[]::new),
        Columns.strings(added, e -> e.about == null ? null : e.about.wref()),
        Columns.bytes(added, e -> e.collectionKey),
        Columns.ints(added, firstOp::apply),
        commit.createdAt());
  }

  private long insertVersions(Commit commit, List<VersionRow> versions, String[] texts) {
    return Growth.of(
        database,
        """
        insert into entity_version (repo_id, entity_id, version, valid_from, valid_to, op_index,
                                    operation, active, shape_id, shape_version, about_id, data,
                                    data_hash)
        select ?, n.entity_id, n.version, ?, case when n.superseded then ? end, n.op_index,
               n.operation, n.active, n.shape_id, n.shape_version, n.about_id,
               coalesce(n.data, (select e.data from entity e
                                 where e.repo_id = ? and e.id = n.entity_id)),
               n.data_hash
        from unnest(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
          as n (entity_id, version, superseded, op_index, operation, active, shape_id,
                shape_version, about_id, data, data_hash)
        """,
        PAYLOAD,
        commit.repoId(),
        commit.seq(),
        commit.seq(),
        commit.repoId(),
        Columns.longs(versions, v -> v.entity().id),
        Columns.ints(versions, VersionRow::version),
        Columns.booleans(versions, v -> v.version() < v.entity().version),
        Columns.ints(versions, VersionRow::opIndex),
        Columns.strings(versions, VersionRow::operation),
        Columns.booleans(versions, VersionRow::active),
        Columns.longs(versions, v -> v.entity().shapeId()),
        Columns.ints(versions, VersionRow::shapeVersion),
        versions.stream()
            .map(v -> v.entity().about == null ? null : v.entity().about.id())
            .toArray(Long[]::new),
        texts,
        Columns.bytes(versions, VersionRow::dataHash));
  }

  /** Ends the stored versions that this commit's versions follow. */
  private void supersede(Commit commit, List<EntityState> revised) {
    var ids = Columns.longs(revised, e -> e.id);
    var versions = Columns.ints(revised, e -> e.storedVersion);
    database.update(END_VERSIONS, commit.seq(), ids, versions, commit.repoId());
    references.end(commit, ids, versions);
  }

  private long updateEntities(Commit commit, List<EntityState> revised, String[] texts) {
    return Growth.of(
        database,
        REVISE_HEAD,
        "octet_length(e.data) - o.length",
        commit.author(),
        commit.createdAt(),
        Columns.longs(revised, e -> e.id),
        Columns.ints(revised, e -> e.version),
        Columns.booleans(revised, e -> e.active),
        Columns.ints(revised, e -> e.shapeVersion),
        texts,
        Columns.bytes(revised, e -> e.dataHash),
        commit.repoId());
  }

  /**
   * The last word: who archives holds the head's lock, so it is known by now; and what the account
   * and its token have lost while the commit waited and was planned.
   */
  private void insertCommit(RepositoryAccess access, Commit commit, CommitPlan plan, long bytes) {
    var parameters =
        new ArrayList<Object>(
            Arrays.asList(
                commit.seq(),
                plan.nextEntityId,
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
                plan.results.size(),
                commit.createdAt(),
                plan.nextEntityId,
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
      recheck.again(access, REPO_WRITE);
      throw archived();
    }
  }

  /** The problem of a commit to what takes no writes. */
  static Problem archived() {
    return Problem.of(ErrorCode.ARCHIVED, "The repository or its organization is archived.");
  }
}
