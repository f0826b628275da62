package dev.cairn.search;

import dev.cairn.access.NewestSeq;
import dev.cairn.content.ChangedEntities;
import dev.cairn.platform.database.Columns;
import dev.cairn.platform.database.Database;
import dev.cairn.search.IndexState.Form;
import dev.cairn.work.JobQueue;
import jakarta.inject.Singleton;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;

/**
 * The queue of indexes that are to be brought up to date, in the table {@code search_index}. A
 * commit makes an index due.
 */
@Singleton
class IndexQueue extends JobQueue<IndexAttempt> {
  /** Due indexes that one look considers, so that it costs no more than this. */
  private static final int MAX_READY = 1_000;

  /** The indexes that have been due longest. */
  private static final String ALL =
      "select repo_id, due_at from search_index where due_at <= now() order by due_at limit "
          + MAX_READY;

  /** Those of given repositories. */
  private static final String OF_REPOSITORIES =
      """
      select x.repo_id, x.due_at from unnest(?) n (id) cross join lateral (
        select repo_id, due_at from search_index
        where repo_id = n.id and due_at <= now() offset 0) x
      """;

  /** The tenants of due indexes. */
  private static final String READY =
      """
      select t.tenant_id
      from (
        select i.due_at, coalesce(o.creator_id, o.id) as tenant_id
        from (%s) i
        join repository r on r.id = i.repo_id
        join organization o on o.id = r.org_id) t
      where t.tenant_id <> all (?)
      group by t.tenant_id order by min(t.due_at) limit ?
      """;

  private static final String CLAIM =
      """
      with due as materialized (
        select i.repo_id, i.due_at, coalesce(o.creator_id, o.id) as tenant_id
        from (%s) i
        join repository r on r.id = i.repo_id
        join organization o on o.id = r.org_id),
      chosen as materialized (
        select d.repo_id, w.tenant_id
        from unnest(?, ?) as w (tenant_id, max)
        cross join lateral (
          select x.repo_id from due x where x.tenant_id = w.tenant_id order by x.due_at limit w.max) d),
      locked as materialized (
        select i.repo_id, c.tenant_id from chosen c
        join search_index i on i.repo_id = c.repo_id
        where i.due_at <= now()
        for update of i skip locked)
      update search_index i set attempt = i.attempt + 1, due_at = now() + make_interval(secs => ?)
      from locked l where i.repo_id = l.repo_id
      returning i.repo_id, l.tenant_id, i.attempt, i.failures
      """;

  static final String COLUMNS =
      """
      newest_seq, indexed_seq, pass_seq, version_seq, version_op, version_entity, renames_listed,
      chosen_language, vectors, language, embedder, former_language, former_embedder, rewritten_id
      """;

  private final Database database;
  private final Embedders embedders;

  /** See {@link #lookAt}. */
  private volatile Optional<Set<UUID>> lookedAt = Optional.empty();

  /** The repositories of which a search has found no index. */
  private final Set<UUID> missing = ConcurrentHashMap.newKeySet();

  IndexQueue(Database database, Embedders embedders) {
    super(database, "search", "search_index", "repo_id", "due_at is not null");
    this.database = database;
    this.embedders = embedders;
  }

  /**
   * Has the next {@link #ready} and {@link #claim}, which follow each other on one thread, look
   * only at the indexes of these repositories: a search waits for one, and not for those before it.
   *
   * @param repos empty for all
   */
  void lookAt(Optional<Set<UUID>> repos) {
    lookedAt = repos;
  }

  private Object[] parameters(Object... others) {
    return lookedAt
        .map(repos -> Stream.concat(Stream.of((Object) uuids(repos)), Stream.of(others)).toArray())
        .orElse(others);
  }

  private static UUID[] uuids(Collection<UUID> ids) {
    return ids.toArray(UUID[]::new);
  }

  private String due(String sql) {
    return sql.formatted(lookedAt.isPresent() ? OF_REPOSITORIES : ALL);
  }

  /** The tenant whose index has waited longest is the first. */
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
                row.getInt(3),
                row.getInt(4)),
        parameters(
            Columns.uuids(shares, Share::tenantId),
            Columns.ints(shares, Share::max),
            LEASE.toSeconds()));
  }

  /**
   * The state of an index; empty if this attempt no longer has it. Whoever deletes the repository
   * waits for the transaction, and does not meet it at the documents. Commits do not wait.
   */
  Optional<IndexState> state(IndexAttempt attempt) {
    return database.first(
        "select " + COLUMNS + " from search_index where repo_id = ? and attempt = ? for key share",
        this::state,
        attempt.repoId(),
        attempt.number());
  }

  /** The state that a row with {@link #COLUMNS} has. */
  IndexState state(ResultSet row) throws SQLException {
    var passSeq = row.getObject("pass_seq", Long.class);
    var former = row.getString("former_language");
    return new IndexState(
        row.getLong("newest_seq"),
        row.getLong("indexed_seq"),
        passSeq == null
            ? Optional.empty()
            : Optional.of(
                new IndexState.Pass(
                    passSeq,
                    new ChangedEntities.Position(
                        row.getLong("version_seq"),
                        row.getInt("version_op"),
                        row.getLong("version_entity")),
                    row.getBoolean("renames_listed"))),
        new Form(
            row.getString("chosen_language"),
            row.getBoolean("vectors") ? embedders.current().version() : Form.NO_VECTORS),
        new Form(row.getString("language"), row.getString("embedder")),
        former == null
            ? Optional.empty()
            : Optional.of(
                new IndexState.Rewrite(
                    new Form(former, row.getString("former_embedder")),
                    row.getLong("rewritten_id"))));
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
                version_entity = ?, renames_listed = ?, language = ?, embedder = ?,
                former_language = ?, former_embedder = ?, rewritten_id = ?::bigint
            where repo_id = ? and attempt = ?
            """,
            state.indexedSeq(),
            pass.map(IndexState.Pass::seq).orElse(null),
            pass.map(p -> p.position().seq()).orElse(0L),
            pass.map(p -> p.position().opIndex()).orElse(0),
            pass.map(p -> p.position().entityId()).orElse(0L),
            pass.map(IndexState.Pass::areRenamesListed).orElse(false),
            state.form().language(),
            state.form().embedder(),
            rewrite.map(r -> r.former().language()).orElse(null),
            rewrite.map(r -> r.former().embedder()).orElse(null),
            rewrite.map(IndexState.Rewrite::lastId).orElse(null),
            attempt.repoId(),
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
                            or former_language is not null or chosen_language <> language
                            or embedder <> case when vectors then ? else '' end
                          then now() end
        where repo_id = ? and attempt = ?
        """,
        embedders.current().version(),
        attempt.repoId(),
        attempt.number());
  }

  /** Ends an attempt that failed; the next one begins after a delay. */
  void fail(IndexAttempt attempt, Duration delay) {
    database.update(
        """
        update search_index
        set failures = failures + 1, due_at = now() + make_interval(secs => ?)
        where repo_id = ? and attempt = ? and failures = ?
        """,
        delay.toSeconds(),
        attempt.repoId(),
        attempt.number(),
        attempt.failures());
  }

  /**
   * Adds the indexes that repositories lack, as after a restore without them; all of their commits
   * are then due.
   *
   * @param only the repository to look at; empty for all
   * @return whether there may be more
   */
  boolean addMissing(Optional<UUID> only, int max) {
    return database.update(
            """
            insert into search_index (repo_id, newest_seq, chosen_language, vectors, language, due_at)
            select x.id, coalesce(x.seq, 0), x.language, x.vectors, x.language, now()
            from (
              select r.id, %s as seq,
                     coalesce(r.settings::jsonb #>> '{search,language}', ?) as language,
                     coalesce((r.settings::jsonb #>> '{search,vectors}')::boolean, true) as vectors
              from repository r
              where (?::uuid is null or r.id = ?::uuid)
                and not exists (select from search_index i where i.repo_id = r.id)
              limit ?) x
            on conflict (repo_id) do nothing
            """
                .formatted(NewestSeq.of("r.id")),
            Stems.SIMPLE,
            only.orElse(null),
            only.orElse(null),
            max)
        == max;
  }

  /**
   * Makes the indexes due that have vectors of another embedder than this program.
   *
   * @return whether there may be more
   */
  boolean addOutdated(int max) {
    return database.update(
            """
            update search_index set due_at = now()
            where due_at is null and repo_id = any (array(
              select repo_id from search_index
              where due_at is null and vectors and embedder <> ? limit ?
              for no key update skip locked))
            """,
            embedders.current().version(),
            max)
        == max;
  }

  /** Has the index of a repository added soon; a read changes nothing by itself. */
  void reportMissing(UUID repoId) {
    missing.add(repoId);
  }

  /** Adds the indexes that were reported. */
  void addReported() {
    for (var repoId : List.copyOf(missing)) {
      addMissing(Optional.of(repoId), 1);
      missing.remove(repoId);
    }
  }

  /** Takes over the settings of a repository's search; its documents are written anew. */
  void choose(UUID repoId, String language, boolean vectors) {
    database.update(
        """
        update search_index
        set chosen_language = ?, vectors = ?, due_at = coalesce(due_at, now())
        where repo_id = ?
        """,
        language,
        vectors,
        repoId);
  }
}
