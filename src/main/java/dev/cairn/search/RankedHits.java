package dev.cairn.search;

import dev.cairn.content.EntityRow;
import dev.cairn.content.Predicates;
import dev.cairn.content.Source;
import dev.cairn.platform.memory.PageBytes;
import dev.cairn.search.TextQuery.Stages;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/**
 * The statements of a search: the documents that match, ranked, and joined with the entities of
 * HEAD that the filter selects and the caller may read. They find the documents by the index on
 * words, or look at the documents of selected entities one by one.
 *
 * @param tables the tables {@code examined} and {@code ranked}, with which each statement begins
 * @param parameters the parameters of {@code tables}
 */
record RankedHits(String tables, List<Object> parameters, Predicates where) {
  /**
   * Maximum documents that the index on words gives to a search with the words in their names, and
   * as many without.
   */
  static final int MAX_BY_WORDS = 5_000;

  /** Maximum entities whose documents a search looks at one by one. */
  static final int MAX_BY_ENTITIES = 50_000;

  /** The least score of an entity whose whole name is the query. */
  static final int WHOLE_NAME_SCORE = 6;

  private static final int MAX_SHAPES = 100;

  /**
   * A whole name, then all words in a name, then the last of them as a part of a word there, the
   * shorter the name the better; then how near to each other the words are, and where. The last
   * part is less than 1.
   */
  private static final String SCORE =
      """
      case when not d.is_named then 0
           when d.words @@ ?::tsquery then %d
           when d.words @@ ?::tsquery then 4 + least(1, ?::float8 / d.name_words)
           when d.words @@ ?::tsquery then 2 + least(1, ?::float8 / d.name_words)
           else 0 end
        + ts_rank_cd('{0.1, 0.2, 0.4, 1}', d.words, ?::tsquery, 33)::float8
      """
          .formatted(WHOLE_NAME_SCORE);

  /**
   * Those with the words in their names, and the others, by stages. A stage is not begun if those
   * before it give enough: the limit of each keeps the planner from running them in parallel. The
   * lexemes of a repository are its own, so the inner queries need not name it; otherwise the
   * planner could take the primary key instead of the index on words.
   */
  private static final String BY_WORDS =
      """
      with examined as materialized (
        select d.entity_id, d.is_named, %1$s as score
        from (
          (select x.*, true as is_named from (
            (select x.* from (select * from search_document where words @@ ?::tsquery offset 0) x
             where x.words @@ ?::tsquery limit %2$d)
            union all
            (select * from search_document where words @@ ?::tsquery limit %2$d)
            union all
            (select * from search_document where words @@ ?::tsquery limit %2$d)) x limit %2$d)
          union all
          (select x.*, false from (
            (select * from search_document where words @@ ?::tsquery limit %2$d)
            union all
            (select * from search_document where words @@ ?::tsquery limit %2$d)) x limit %2$d)) d
        where d.repo_id = ?),
      ranked as (select * from examined)
      """
          .formatted(SCORE, MAX_BY_WORDS + 1);

  private static final String BY_ENTITIES =
      """
      with examined as materialized (select s.id, true as is_named from (%s) s),
      ranked as materialized (
        select d.entity_id, %s as score
        from examined s
        cross join lateral (
          select x.*, true as is_named from search_document x
          where x.repo_id = ? and x.entity_id = s.id offset 0) d
        where d.words @@ ?::tsquery)
      """;

  private static final String AFTER = "where score < ? or (score = ? and entity_id > ?)";

  /** With each hit, or with one row without a hit, how much was examined. */
  private static final String EXAMINED =
      """
      select c.examined, p.*
      from (
        select greatest(count(*) filter (where is_named), count(*) filter (where not is_named))
                 as examined
        from examined) c
      """;

  /** A page of hits. */
  private static final String PAGE =
      EXAMINED
          + """
      left join lateral (
        select %s, e.id, e.score from (
          select e.*, r.score from (
            select entity_id, score from ranked %s order by score desc, entity_id offset 0) r
          cross join lateral (select e.* from %s e %s and e.id = r.entity_id offset 0) e
          order by r.score desc, r.entity_id limit ?) e
        window page as (order by e.score desc, e.id rows unbounded preceding)
        order by e.score desc, e.id) p on true
      order by p.score desc, p.id
      """;

  /** The best hits without their data. */
  private static final String IDS =
      EXAMINED
          + """
      left join lateral (
        select e.id, r.score from (
          select entity_id, score from ranked order by score desc, entity_id offset 0) r
        cross join lateral (select e.id from %s e %s and e.id = r.entity_id offset 0) e
        order by r.score desc, r.entity_id limit ?) p on true
      """;

  private static final String SHAPE_COUNTS =
      """
      select e.shape_name, count(*) from ranked r
      cross join lateral (select e.* from %s e %s and e.id = r.entity_id offset 0) e
      group by e.shape_name order by count(*) desc, e.shape_name limit %d
      """;

  /** A statement with its parameters. */
  record Statement(String sql, Object... parameters) {}

  /** The hit after which a page begins. */
  record After(double score, long entityId) {
    /** Reads the keys of a cursor. */
    static After of(List<String> keys) {
      return new After(Double.parseDouble(keys.get(0)), Long.parseLong(keys.get(1)));
    }
  }

  /**
   * The hits by the index on words.
   *
   * @param stages what the index is asked for
   * @param words how many words a name must have at least to match
   */
  static RankedHits byWords(
      UUID repoId, Predicates where, TextQuery query, Stages stages, int words) {
    var parameters = score(query, words);
    parameters.addAll(
        List.of(
            stages.wholeName(),
            query.matching(),
            stages.inName(),
            stages.partlyInName(),
            stages.complete(),
            stages.rest(),
            repoId));
    return new RankedHits(BY_WORDS, parameters, where);
  }

  /**
   * The hits among given entities.
   *
   * @param ids a query for their ids
   */
  static RankedHits byEntities(
      UUID repoId, Source ids, Predicates where, TextQuery query, int words) {
    var parameters = new ArrayList<>(ids.parameters());
    parameters.addAll(score(query, words));
    parameters.addAll(List.of(repoId, query.matching()));
    return new RankedHits(BY_ENTITIES.formatted(ids.sql(), SCORE), parameters, where);
  }

  private static List<Object> score(TextQuery query, int words) {
    return new ArrayList<>(
        List.of(
            query.asName(),
            query.inName(),
            (double) words,
            query.partlyInName(),
            (double) words,
            query.ranked()));
  }

  /** The statement for a page and one more row. */
  Statement page(Optional<After> after, int limit) {
    var before = new ArrayList<>(parameters);
    before.add(PageBytes.max());
    after.ifPresent(hit -> before.addAll(Arrays.asList(hit.score(), hit.score(), hit.entityId())));
    return new Statement(
        tables
            + PAGE.formatted(
                EntityRow.PAGED, after.isPresent() ? AFTER : "", Source.HEAD.sql(), where.sql()),
        where.parameters(before, limit + 1));
  }

  /** The statement for the best hits without their data. */
  Statement ids(int limit) {
    return new Statement(
        tables + IDS.formatted(Source.HEAD.sql(), where.sql()),
        where.parameters(parameters, limit));
  }

  /** The statement for the number of hits of each shape, the most first. */
  Statement shapeCounts() {
    return new Statement(
        tables + SHAPE_COUNTS.formatted(Source.HEAD.sql(), where.sql(), MAX_SHAPES),
        where.parameters(parameters));
  }
}
