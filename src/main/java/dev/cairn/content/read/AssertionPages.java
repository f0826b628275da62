package dev.cairn.content.read;

import dev.cairn.content.EntityRow;
import dev.cairn.content.Predicates;
import dev.cairn.content.Statement;
import dev.cairn.platform.database.Columns;
import dev.cairn.platform.memory.PageBytes;
import dev.cairn.platform.page.Pager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Arrays;
import java.util.List;
import java.util.UUID;
import java.util.stream.LongStream;

/**
 * Statements for assertions {@code e} that meet conditions, in the {@linkplain AboutOrder order of
 * about}: a page of them, or the newest ones about each of several targets.
 */
public final class AssertionPages {
  /** {@code bytes} is the sum of the sizes of the rows so far; the format takes a row's size. */
  private static final String MORE_COLUMNS =
      ", e.id, e.created_seq, e.created_op, sum(%s) over page as bytes";

  private static final String PAGE =
      "select " + EntityRow.PAGED + MORE_COLUMNS.formatted(EntityRow.SIZE) + " from entity e ";

  /**
   * A parent may have several targets, each with as many assertions as may be shown. What is beyond
   * that number together has no size and no data, and only the first of it is in the result.
   */
  private static final String OF_EACH =
      "select "
          + EntityRow.columns("case when sum(e.size) over page <= ? then e.shown end")
          + MORE_COLUMNS.formatted("e.size")
          + """
          , e.parent
          from (
            select e.*, case when e.position <= ? then %1$s end as size,
                   case when e.position <= ? then e.data end as shown
            from (
              select e.*, t.parent,
                     row_number() over (partition by t.parent order by %2$s) as position
              from unnest(?, ?, ?, ?) as t (parent, repo_id, id, version)
              cross join lateral (select * from entity e %3$s order by %2$s limit ?) e) e
            where e.position <= ?) e
          """
          + Pager.inOrder(AboutOrder.NEWEST_FIRST);

  /**
   * What assertions are looked up about; several may have the same parent.
   *
   * @param parent what the assertions belong to
   * @param version 0 for any
   */
  public record Target(int parent, UUID repoId, long id, int version) {}

  /**
   * An assertion.
   *
   * @param entity without its data if that does not fit
   * @param bytes the size of this assertion and of all before it
   */
  public record Assertion(EntityRow entity, long id, long createdSeq, int createdOp, long bytes) {
    /** The assertion of the current row. */
    public static Assertion read(ResultSet row) throws SQLException {
      return new Assertion(
          EntityRow.read(row),
          row.getLong("id"),
          row.getLong("created_seq"),
          row.getInt("created_op"),
          row.getLong("bytes"));
    }
  }

  private AssertionPages() {}

  /**
   * Narrows to the assertions about an entity, or also about collections.
   *
   * @param version the version that assertions are about; null for any
   * @param collections the ids of collections of the repository
   */
  public static void narrow(
      Predicates where, UUID repoId, long id, Integer version, long[] collections) {
    var direct =
        "e.about_repo_id = ? and e.about_id = ?"
            + (version == null ? "" : " and e.about_version = " + version);
    if (collections.length == 0) {
      where.and(direct, repoId, id);
      return;
    }
    // The first condition uses the index; the second one is exact.
    where.and(
        "e.about_id = any (?)",
        (Object) LongStream.concat(LongStream.of(id), Arrays.stream(collections)).toArray());
    where.and(
        "((" + direct + ") or (e.about_repo_id = e.repo_id and e.about_id = any (?)))",
        repoId,
        id,
        collections);
  }

  /** The parent of the current row of {@link #ofEach}. */
  public static int parent(ResultSet row) throws SQLException {
    return row.getInt("parent");
  }

  /** A statement for a page and one more row. */
  public static Statement page(Predicates where, int limit) {
    return new Statement(
        PAGE + where.sql() + Pager.inOrder(AboutOrder.NEWEST_FIRST) + " limit ?",
        where.parameters(List.of(PageBytes.max()), limit + 1));
  }

  /**
   * A statement for the newest assertions about the targets of each parent, and one more for each.
   *
   * @param limit maximum assertions of a parent
   * @param maxBytes maximum size of all assertions together; those beyond it have no data
   */
  public static Statement ofEach(List<Target> targets, Predicates where, int limit, long maxBytes) {
    return new Statement(
        OF_EACH.formatted(
            EntityRow.SIZE, AboutOrder.NEWEST_FIRST, where.sql() + AssertionTargets.ABOUT),
        where.parameters(
            List.of(
                maxBytes,
                limit,
                limit,
                Columns.ints(targets, Target::parent),
                Columns.uuids(targets, Target::repoId),
                Columns.longs(targets, Target::id),
                Columns.ints(targets, Target::version)),
            limit + 1,
            limit + 1));
  }
}
