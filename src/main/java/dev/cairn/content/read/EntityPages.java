package dev.cairn.content.read;

import dev.cairn.content.EntityRow;
import dev.cairn.content.Moment;
import dev.cairn.content.NameRanges;
import dev.cairn.content.Predicates;
import dev.cairn.content.Source;
import dev.cairn.content.Statement;
import dev.cairn.platform.memory.PageBytes;
import dev.cairn.platform.page.Pager;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.Stream;

/**
 * Statements for the entities {@code e} of a source that meet conditions: pages in the order of
 * shape names and names, with rows for {@link EntityRow#read}; how many there are;.
 *
 * <p>Each of them either selects from the whole source, or looks into its parts, one after another:
 * ranges of names, shapes, or what is about one of several targets.
 */
public final class EntityPages {
  private static final String PAGE =
      "select " + EntityRow.PAGED + " from (%s) e" + Pager.inOrder("e.shape_name, e.name");

  private static final String IN_RANGES =
      """
      select x.* from %s
      cross join lateral (
        select e.* from %s e %s%s
          and e.name > case when r.shape_name = ? then ? else '' end
        order by e.shape_name, e.name limit ?) x
      where r.shape_name collate "C" >= ?
      order by x.shape_name, x.name limit ?
      """;

  private static final String OF_SHAPES =
      """
      select x.* from %s
      cross join lateral (
        select e.* from %s e %s%s
          and e.name > case when r.shape_name = ? then ? else '' end
        order by e.name limit ?) x
      order by r.shape_name, x.name limit ?
      """;

  private static final String OF_TARGETS =
      """
      select x.* from %s
      cross join lateral (
        select e.* from %s e %s%s
        order by e.shape_name, e.name limit ?) x
      order by x.shape_name, x.name limit ?
      """;

  private static final String COUNT_OF_EACH =
      "select count(*) from %s cross join lateral (select 1 from %s e %s%s) x";

  private EntityPages() {}

  /**
   * A statement for a page and one more row. The inner query sorts and limits the rows, so that
   * their sizes are summed up only for those of the page.
   */
  public static Statement page(Source from, Predicates where, int limit) {
    return new Statement(
        PAGE.formatted(
            "select e.* from "
                + from.sql()
                + " e "
                + where.sql()
                + " order by e.shape_name, e.name limit ?"),
        where.parameters(before(List.of(), from.parameters()), limit + 1));
  }

  /**
   * A statement for a page of entities in given ranges of names: the first rows of each range, of
   * which the first ones are taken.
   */
  public static Statement ofRanges(
      NameRanges ranges, Source from, Predicates where, Optional<PageKey> after, int limit) {
    var shapeName = after.map(PageKey::shapeName).orElse("");
    var name = after.map(PageKey::name).orElse("");
    return new Statement(
        PAGE.formatted(
            IN_RANGES.formatted(NameRanges.SQL, from.sql(), where.sql(), NameRanges.WITHIN)),
        where.parameters(
            before(ranges.parameters(), from.parameters()),
            shapeName,
            name,
            limit + 1,
            shapeName,
            limit + 1));
  }

  /**
   * A statement for a page that looks into one shape after another, in their order, until the page
   * is full.
   *
   * @param shape the only shape to look at; empty for all
   */
  public static Statement ofShapes(
      UUID repoId,
      Optional<String> shape,
      Optional<Moment> moment,
      Predicates where,
      Optional<PageKey> after,
      int limit) {
    var shapeName = after.map(PageKey::shapeName).orElse("");
    var name = after.map(PageKey::name).orElse("");
    var shapes = ShapeWalk.of(repoId, shape, moment, shapeName);
    var from = Source.byName(moment);
    return new Statement(
        PAGE.formatted(
            OF_SHAPES.formatted(shapes.sql(), from.sql(), where.sql(), ShapeWalk.WITHIN)),
        where.parameters(
            before(shapes.parameters(), from.parameters()), shapeName, name, limit + 1, limit + 1));
  }

  /**
   * A statement for a page of assertions about listed targets: the first ones about each target, of
   * which the first ones are taken.
   */
  public static Statement ofTargets(
      AssertionTargets about, Source from, Predicates where, int limit) {
    return new Statement(
        PAGE.formatted(
            OF_TARGETS.formatted(
                AssertionTargets.SQL, from.sql(), where.sql(), AssertionTargets.ABOUT)),
        where.parameters(before(about.parameters(), from.parameters()), limit + 1, limit + 1));
  }

  /** A statement that counts all that meet the conditions. */
  public static Statement count(Source from, Predicates where) {
    return new Statement(
        "select count(*) from " + from.sql() + " e " + where.sql(),
        where.parameters(from.parameters()));
  }

  /** A statement that counts the assertions about listed targets. */
  public static Statement countOfTargets(AssertionTargets about, Source from, Predicates where) {
    return new Statement(
        COUNT_OF_EACH.formatted(
            AssertionTargets.SQL, from.sql(), where.sql(), AssertionTargets.ABOUT),
        where.parameters(joined(about.parameters(), from.parameters())));
  }

  /**
   * A statement that counts the current entities of one shape after another.
   *
   * @param shape the only shape to look at; empty for all
   */
  public static Statement countOfShapes(UUID repoId, Optional<String> shape, Predicates where) {
    var shapes = ShapeWalk.of(repoId, shape, Optional.empty(), "");
    return new Statement(
        COUNT_OF_EACH.formatted(shapes.sql(), Source.HEAD.sql(), where.sql(), ShapeWalk.WITHIN),
        where.parameters(shapes.parameters()));
  }

  private static List<Object> before(List<Object> first, List<Object> second) {
    return joined(List.of(PageBytes.max()), joined(first, second));
  }

  private static List<Object> joined(List<Object> first, List<Object> second) {
    return Stream.concat(first.stream(), second.stream()).toList();
  }
}
