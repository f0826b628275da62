package dev.cairn.search;

import dev.cairn.platform.database.Columns;
import dev.cairn.platform.database.Database;
import dev.cairn.work.JobQueue;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/**
 * The queue of one part of the search indexes, in the table {@code search_index}. A commit makes
 * both parts due.
 */
class IndexQueue extends JobQueue<IndexAttempt> {
  /** Due indexes that one look considers, so that it costs no more than this. */
  private static final int MAX_READY = 1_000;

  /** The indexes that have been due longest. */
  private static final String ALL =
      """
      select repo_id, 0 as rank, due_at from search_index
      where part = ? and due_at <= now() order by due_at limit %d
      """
          .formatted(MAX_READY);

  /** Those of given repositories, in their order. */
  private static final String OF_REPOSITORIES =
      """
      select x.repo_id, n.rank, x.due_at
      from unnest(?) with ordinality n (id, rank) cross join lateral (
        select repo_id, due_at from search_index
        where repo_id = n.id and part = ? and due_at <= now() offset 0) x
      """;

  /** The tenants of due indexes. */
  private static final String READY =
      """
      select t.tenant_id
      from (
        select i.rank, i.due_at, coalesce(o.creator_id, o.id) as tenant_id
        from (%s) i
        join repository r on r.id = i.repo_id
        join organization o on o.id = r.org_id) t
      where t.tenant_id <> all (?)
      group by t.tenant_id order by min(t.rank), min(t.due_at) limit ?
      """;

  private static final String CLAIM =
      """
      with due as materialized (
        select i.repo_id, i.rank, i.due_at, coalesce(o.creator_id, o.id) as tenant_id
        from (%s) i
        join repository r on r.id = i.repo_id
        join organization o on o.id = r.org_id),
      chosen as materialized (
        select d.repo_id, w.tenant_id
        from unnest(?, ?) as w (tenant_id, max)
        cross join lateral (
          select x.repo_id from due x where x.tenant_id = w.tenant_id
          order by x.rank, x.due_at limit w.max) d),
      locked as materialized (
        select i.repo_id, i.part, c.tenant_id from chosen c
        join search_index i on i.repo_id = c.repo_id and i.part = ?
        where i.due_at <= now()
        for update of i skip locked)
      update search_index i set attempt = i.attempt + 1, due_at = now() + make_interval(secs => ?)
      from locked l where i.repo_id = l.repo_id and i.part = l.part
      returning i.repo_id, l.tenant_id, i.attempt, i.failures
      """;

  private final Database database;
  private final PartWriter writer;
  private final String part;

  /** See {@link #lookAt}; guarded by the lock of the worker for claims. */
  private Optional<List<UUID>> lookedAt = Optional.empty();

  /** The queue of a part. */
  IndexQueue(Database database, PartWriter writer) {
    super(
        database,
        writer.part().queue(),
        "search_index",
        "repo_id",
        "j.due_at is not null and j.part = '%s'".formatted(writer.part().text()));
    this.database = database;
    this.writer = writer;
    this.part = writer.part().text();
  }

  /**
   * Has the next {@link #ready} and {@link #claim}, which follow each other on one thread, look
   * only at the indexes of these repositories, the first ones first: searches wait for them.
   *
   * @param repos empty for all, those first that have been due longest
   */
  void lookAt(Optional<List<UUID>> repos) {
    lookedAt = repos;
  }

  private Object[] parameters(Object... others) {
    var parameters = new ArrayList<Object>();
    lookedAt.ifPresent(repos -> parameters.add(uuids(repos)));
    parameters.add(part);
    parameters.addAll(List.of(others));
    return parameters.toArray();
  }

  private static UUID[] uuids(Collection<UUID> ids) {
    return ids.toArray(UUID[]::new);
  }

  private String due(String sql) {
    return sql.formatted(lookedAt.isPresent() ? OF_REPOSITORIES : ALL);
  }

  @Override
  protected List<UUID> ready(Collection<UUID> except, int max) {
    return database.list(
        due(READY), row -> row.getObject(1, UUID.class), parameters(uuids(except), max));
  }

  @Override
  protected List<IndexAttempt> claim(List<Share> shares) {
    return database.list(
        due(CLAIM),
        row ->
            new IndexAttempt(
                row.getObject(1, UUID.class),
                row.getObject(2, UUID.class),
                writer.part(),
                row.getInt(3),
                row.getInt(4)),
        parameters(
            Columns.uuids(shares, Share::tenantId),
            Columns.ints(shares, Share::max),
            part,
            LEASE.toSeconds()));
  }

  /** The state of an index; empty if this attempt no longer has it. */
  Optional<IndexState> state(IndexAttempt attempt) {
    return database.first(
        IndexStates.SELECT + " where repo_id = ? and part = ? and attempt = ?",
        row -> IndexStates.read(row, writer),
        attempt.repoId(),
        part,
        attempt.number());
  }

  /**
   * Locks an index. Whoever deletes the repository waits for the transaction, and does not meet it
   * at what it stores. Commits do not wait.
   *
   * @return false if this attempt no longer has it
   */
  boolean lock(IndexAttempt attempt) {
    return database
        .first(
            """
            select from search_index
            where repo_id = ? and part = ? and attempt = ? for key share
            """,
            _ -> true,
            attempt.repoId(),
            part,
            attempt.number())
        .isPresent();
  }

  /**
   * Stores how far an index is; commits that come meanwhile are not touched. This must be the last
   * statement of its transaction, because commits wait for the row.
   *
   * @return false if this attempt no longer has the index; then the transaction must be rolled back
   */
  boolean save(IndexAttempt attempt, IndexState state) {
    var pass = state.pass();
    var rewrite = state.rewrite();
    return database.update(
            """
            update search_index
            set indexed_seq = ?, pass_seq = ?::bigint, version_seq = ?, version_op = ?,
                version_entity = ?, renames_listed = ?, form = ?, former = ?,
                rewritten_id = ?::bigint
            where repo_id = ? and part = ? and attempt = ?
            """,
            state.indexedSeq(),
            pass.map(IndexState.Pass::seq).orElse(null),
            pass.map(p -> p.position().seq()).orElse(0L),
            pass.map(p -> p.position().opIndex()).orElse(0),
            pass.map(p -> p.position().entityId()).orElse(0L),
            pass.map(IndexState.Pass::areRenamesListed).orElse(false),
            state.form(),
            rewrite.map(IndexState.Rewrite::former).orElse(null),
            rewrite.map(IndexState.Rewrite::lastId).orElse(null),
            attempt.repoId(),
            part,
            attempt.number())
        > 0;
  }

  /** Ends an attempt. The index stays due if there is more to do, or if commits came meanwhile. */
  void end(IndexAttempt attempt) {
    database.update(
        """
        update search_index
        set failures = 0,
            due_at = case when newest_seq > indexed_seq or pass_seq is not null
                            or former is not null
                            or form <> case setting when '' then '' else coalesce(?, setting) end
                          then now() end
        where repo_id = ? and part = ? and attempt = ?
        """,
        writer.presentForm().orElse(null),
        attempt.repoId(),
        part,
        attempt.number());
  }

  /** Ends an attempt that failed; the next one begins after a delay. */
  void fail(IndexAttempt attempt, Duration delay) {
    database.update(
        """
        update search_index
        set failures = failures + 1, due_at = now() + make_interval(secs => ?)
        where repo_id = ? and part = ? and attempt = ? and failures = ?
        """,
        delay.toSeconds(),
        attempt.repoId(),
        part,
        attempt.number(),
        attempt.failures());
  }
}
