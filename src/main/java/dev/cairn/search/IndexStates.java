package dev.cairn.search;

import dev.cairn.access.NewestSeq;
import dev.cairn.content.ChangedEntities;
import dev.cairn.platform.database.Columns;
import dev.cairn.platform.database.Database;
import jakarta.enterprise.inject.Instance;
import jakarta.inject.Singleton;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;

/** The rows of {@code search_index}: two for each repository, one for each part of its index. */
@Singleton
class IndexStates {
  static final String SELECT =
      """
      select part, newest_seq, indexed_seq, pass_seq, version_seq, version_op, version_entity,
             renames_listed, setting, form, former, rewritten_id
      from search_index
      """;

  /** The setting of vectors that are switched on. */
  private static final String ON = "on";

  private final Database database;
  private final Map<IndexPart, PartWriter> writers;

  /** The repositories of which a search has found no index. */
  private final Set<UUID> missing = ConcurrentHashMap.newKeySet();

  IndexStates(Database database, Instance<PartWriter> writers) {
    this.database = database;
    this.writers =
        writers.stream()
            .collect(
                Collectors.toMap(
                    PartWriter::part,
                    writer -> writer,
                    (one, _) -> one,
                    () -> new EnumMap<>(IndexPart.class)));
  }

  /** The states of these parts; without those that the repository does not have. */
  Map<IndexPart, IndexState> of(UUID repoId, Set<IndexPart> parts) {
    var states = new EnumMap<IndexPart, IndexState>(IndexPart.class);
    database.list(
        SELECT + " where repo_id = ? and part = any (?)",
        row -> {
          var part = IndexPart.of(row.getString("part"));
          return states.put(part, read(row, writers.get(part)));
        },
        repoId,
        Columns.strings(parts, IndexPart::text));
    return states;
  }

  /** The state of a part that a row of {@link #SELECT} has. */
  static IndexState read(ResultSet row, PartWriter writer) throws SQLException {
    var passSeq = row.getObject("pass_seq", Long.class);
    var setting = row.getString("setting");
    var former = row.getString("former");
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
        setting.equals(IndexState.NONE) ? IndexState.NONE : writer.presentForm().orElse(setting),
        row.getString("form"),
        former == null
            ? Optional.empty()
            : Optional.of(new IndexState.Rewrite(former, row.getLong("rewritten_id"))));
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
            insert into search_index (repo_id, part, newest_seq, setting, form, due_at)
            select x.id, p.part, coalesce(x.seq, 0), p.setting, p.form, now()
            from (
              select r.id, %s as seq,
                     coalesce(r.settings::jsonb #>> '{search,language}', ?) as language,
                     coalesce((r.settings::jsonb #>> '{search,vectors}')::boolean, true) as vectors
              from repository r
              where (?::uuid is null or r.id = ?::uuid)
                and not exists (select from search_index i where i.repo_id = r.id)
              limit ?) x
            cross join lateral (
              values ('words', x.language, x.language),
                     ('vectors', case when x.vectors then ? else '' end, ''))
              as p (part, setting, form)
            on conflict (repo_id, part) do nothing
            """
                .formatted(NewestSeq.of("r.id")),
            Stems.SIMPLE,
            only.orElse(null),
            only.orElse(null),
            max,
            ON)
        == IndexPart.ALL.size() * max;
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
            where part = 'vectors' and due_at is null and repo_id = any (array(
              select repo_id from search_index
              where part = 'vectors' and due_at is null and setting <> '' and form <> ? limit ?
              for no key update skip locked))
            """,
            writers.get(IndexPart.VECTORS).presentForm().orElseThrow(),
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

  /** Takes over the settings of a repository's search. */
  void choose(UUID repoId, String language, boolean vectors) {
    database.update(
        """
        update search_index
        set setting = case part when 'words' then ? else ? end, due_at = coalesce(due_at, now())
        where repo_id = ?
        """,
        language,
        vectors ? ON : IndexState.NONE,
        repoId);
  }
}
