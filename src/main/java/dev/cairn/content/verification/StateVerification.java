package dev.cairn.content.verification;

import dev.cairn.content.ByKey;
import dev.cairn.model.BuiltinShape;
import dev.cairn.platform.database.Database;
import java.util.Collections;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;

/**
 * Verifies the stored state against the rows that the hash chain covers: HEAD must be a copy of the
 * newest versions, versions must be consecutive, every row must belong to a commit, and the numbers
 * of entities must be what commits kept.
 */
final class StateVerification {
  /**
   * Rows of HEAD without a version, and those that differ from the newest version or its commit.
   */
  private static final String HEAD =
      """
      select coalesce(v.valid_from, e.created_seq) as seq
      from entity e
      left join lateral (
        select * from entity_version x where x.repo_id = e.repo_id and x.entity_id = e.id
        order by x.version desc limit 1) v on true
      left join lateral %s c on true
      left join lateral %s s on true
      left join lateral %s t on true
      where e.repo_id = ?
        and (v.version is null or v.version <> e.version or v.active <> e.active
             or v.data <> e.data or v.data_hash <> e.data_hash
             or v.shape_version <> e.shape_version or v.shape_id <> e.shape_id
             or v.about_id is distinct from e.about_id
             or c.author <> e.author or c.created_at <> e.updated_at
             or e.shape_name is distinct from s.name
             or (e.about_repo_id = e.repo_id
                 and e.about_wref is distinct from
                     t.shape_name || '/' || t.name || '@v' || e.about_version))
      """
          .formatted(
              ByKey.commit("v.repo_id", "v.valid_from"),
              ByKey.entity("e.repo_id", "e.shape_id"),
              ByKey.entity("e.repo_id", "e.about_id"));

  /** Versions that do not count from 1 without a gap. */
  private static final String VERSIONS =
      """
      select v.valid_from
      from (
        select valid_from, version,
               row_number() over (partition by entity_id order by version) as number
        from entity_version where repo_id = ?) v
      where v.version <> v.number
      """;

  /**
   * Renames whose new name is not the old name of the next one, or for the last one, the current
   * name.
   */
  private static final String RENAMES =
      """
      select n.seq
      from (
        select repo_id, entity_id, seq, new_name,
               lead(old_name) over (partition by entity_id order by seq, op_index) as next
        from entity_rename where repo_id = ?) n
      left join lateral %s e on true
      where n.new_name is distinct from coalesce(n.next, e.name)
      """
          .formatted(ByKey.entity("n.repo_id", "n.entity_id"));

  /** Rows that belong to no commit; the built-in shapes are added with the repository. */
  private static final String ORPHANS =
      """
      select o.seq
      from (
        select repo_id, valid_from as seq from entity_version where repo_id = ? and entity_id >= %d
        union all
        select repo_id, seq from entity_rename where repo_id = ?) o
      left join lateral %s c on true
      where c.seq is null
      """
          .formatted(BuiltinShape.FIRST_FREE_ID, ByKey.commit("o.repo_id", "o.seq"));

  /** The newest commit, if the kept numbers of entities are not those of HEAD. */
  private static final String COUNTS =
      """
      select h.seq from repository_head h
      where h.repo_id = ? and exists (
        with counted as (
          select e.shape_id, e.kind, e.active, count(*) as count from entity e
          where e.repo_id = h.repo_id and e.id >= %d group by 1, 2, 3),
        kept as (
          select c.shape_id, c.kind, c.active, c.count from entity_count c
          where c.repo_id = h.repo_id and c.count <> 0)
        (select * from counted except select * from kept)
        union all
        (select * from kept except select * from counted))
      """
          .formatted(BuiltinShape.FIRST_FREE_ID);

  private static final String ALL =
      "select min(a.seq) from ("
          + String.join(" union all ", HEAD, VERSIONS, RENAMES, ORPHANS, COUNTS)
          + ") a (seq)";

  private StateVerification() {}

  /** The first commit whose rows do not match; empty if all match. */
  static Optional<Long> brokenAt(Database database, UUID repoId) {
    return database
        .list(ALL, row -> row.getObject(1, Long.class), Collections.nCopies(6, repoId).toArray())
        .stream()
        .filter(Objects::nonNull)
        .findFirst();
  }
}
