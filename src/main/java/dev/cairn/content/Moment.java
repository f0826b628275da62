package dev.cairn.content;

import dev.cairn.model.BuiltinShape;
import java.util.List;
import java.util.UUID;

/**
 * A repository in the state after one of its commits, with current names; see {@code
 * docs/reads.md}, Time travel.
 *
 * @param seq the commit's sequence number; 0 for the time before the first one
 * @param nextEntityId greater than the ids of all entities that existed then, since ids grow with
 *     the sequence number
 * @param nextEntityIdNow greater than the ids of all entities that exist now
 */
public record Moment(UUID repoId, long seq, long nextEntityId, long nextEntityIdNow) {
  /** Maximum entities that are looked up and sorted for each page. */
  private static final int MAX_SCANNED = 10_000;

  /**
   * If an entity has one version, its own row is used. Otherwise the last version up to the moment
   * is used; of two versions of one commit, the higher one.
   */
  private static final String THEN =
      """
      (select x.repo_id, x.id, x.kind, x.shape_id, x.shape_name, x.name,
              coalesce(v.version, x.version) as version, coalesce(v.active, x.active) as active,
              coalesce(v.shape_version, x.shape_version) as shape_version,
              coalesce(v.data, x.data) as data, coalesce(v.data_hash, x.data_hash) as data_hash,
              x.about_repo_id, x.about_id, x.about_version, x.about_wref,
              coalesce(c.author, x.author) as author, x.created_seq, x.created_op, x.created_at,
              coalesce(c.created_at, x.updated_at) as updated_at
       from %s x
       left join lateral (
         select * from entity_version y
         where x.version > 1 and y.repo_id = x.repo_id and y.entity_id = x.id
           and y.version = %s
         offset 0) v on true
       left join commit_log c on c.repo_id = v.repo_id and c.seq = v.valid_from
       %s)
      """;

  // `+ 0` keeps the planner from using the index on ids.
  private static final String BY_NAME =
      THEN.formatted("entity", versionOf("x"), "where x.repo_id = ? and x.id + 0 < ?");

  private static final String BY_ID =
      THEN.formatted(
          "(select * from entity where repo_id = ? and id < ? order by id offset 0)",
          versionOf("x"),
          "");

  /**
   * SQL for the number of an entity's version at a moment, whose sequence number is the parameter.
   * The result is 1 also for an entity that did not exist yet.
   *
   * @param entity the alias of a row of {@code entity}
   */
  public static String versionOf(String entity) {
    return """
        coalesce((
          select z.version from entity_version z
          where z.repo_id = %1$s.repo_id and z.entity_id = %1$s.id and z.version > 1
            and z.valid_from <= ?
          order by z.valid_from desc, z.version desc limit 1), 1)"""
        .formatted(entity);
  }

  /** The entities of the moment, for statements that find them by an index on current entities. */
  public Source byName() {
    return new Source(BY_NAME, List.of(seq, repoId, nextEntityId));
  }

  /** The entities of the moment, found by id and in the order of ids. */
  public Source byId() {
    return new Source(BY_ID, List.of(repoId, nextEntityId, seq));
  }

  /**
   * Whether a page reads fewer rows {@linkplain #byId by id}, which are all entities that existed
   * then, than in the order of names, in which one in {@code now / then} existed. If newer entities
   * of a shape are clustered by name, a page may read more, but a walk over all pages skips them
   * only once.
   *
   * @param limit number of entities that are needed; {@link Long#MAX_VALUE} for all
   */
  public boolean isEarly(long limit) {
    double then = nextEntityId - BuiltinShape.FIRST_FREE_ID;
    double now = nextEntityIdNow - BuiltinShape.FIRST_FREE_ID;
    return then <= MAX_SCANNED || then * then <= limit * now;
  }

  /** The source that reads fewer rows for a page; see {@link #isEarly}. */
  public Source forPage(long limit) {
    return isEarly(limit) ? byId() : byName();
  }
}
