package dev.cairn.content.read;

import dev.cairn.access.Narrowing;
import dev.cairn.content.ByKey;
import dev.cairn.content.Predicates;
import dev.cairn.content.Statement;
import dev.cairn.model.BuiltinShape;
import dev.cairn.platform.database.Rows;
import dev.cairn.platform.memory.PageBytes;
import dev.cairn.platform.page.Pager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/**
 * The versions of entities, newest first, each with the commit that made it: of all entities of a
 * repository, or only of those that meet the conditions that are added.
 */
public final class History {
  private static final String NEWEST_FIRST = "v.valid_from desc, v.op_index desc, v.entity_id desc";

  /** The same order for the versions of one entity, which are read by its own key. */
  private static final String OF_ONE_NEWEST_FIRST = "v.version desc";

  private static final String WITH_ENTITY =
      "v cross join lateral %s e ".formatted(ByKey.entity("v.repo_id", "v.entity_id"));

  private static final String VERSIONS = " from entity_version " + WITH_ENTITY;

  /** The newest versions of the assertions about each of some targets. */
  private static final String OF_TARGETS =
      " from (select n.* from "
          + AssertionTargets.SQL
          + " cross join lateral (select v.*"
          + VERSIONS
          + "%s and v.about_id = t.id"
          + AssertionTargets.ABOUT
          + " order by %s limit ?) n) "
          + WITH_ENTITY;

  private static final String PAGE =
      """
      select e.shape_name || '/' || e.name as wref, v.version, v.operation, v.active, %s as data,
             c.commit_id, c.author, c.message, c.created_at, v.valid_from, v.op_index,
             v.entity_id
      """
              .formatted(
                  Pager.fitting(
                      "v.data",
                      "octet_length(v.data) + octet_length(e.name) + 512 + "
                          + Pager.jsonBytes("c.message")
                          + " + "
                          + Pager.jsonBytes("c.author")))
          + "%s cross join lateral "
          + ByKey.commit("v.repo_id", "v.valid_from")
          + " c %s %s limit ?";

  private final Predicates where;
  private Optional<AssertionTargets> about = Optional.empty();
  private String order = NEWEST_FIRST;

  /**
   * A version with its commit.
   *
   * @param wref the entity by its current name
   * @param data the payload as it is stored; null if it does not fit on the page
   * @param createdAt when the commit was made, in milliseconds since 1970
   * @param seq the sequence number of the commit
   */
  public record Version(
      String wref,
      int number,
      String operation,
      boolean active,
      byte[] data,
      String commitId,
      String author,
      String message,
      long createdAt,
      long seq,
      int opIndex,
      long entityId) {

    /** The version of the current row. */
    public static Version read(ResultSet row) throws SQLException {
      return new Version(
          row.getString("wref"),
          row.getInt("version"),
          row.getString("operation"),
          row.getBoolean("active"),
          row.getBytes("data"),
          row.getString("commit_id"),
          row.getString("author"),
          row.getString("message"),
          Rows.millis(row, "created_at"),
          row.getLong("valid_from"),
          row.getInt("op_index"),
          row.getLong("entity_id"));
    }
  }

  /** The versions that a token may read, without those of built-in shapes. */
  public History(UUID repoId, Narrowing narrowing) {
    where =
        new Predicates("v.repo_id = ? and v.entity_id >= ?", repoId, BuiltinShape.FIRST_FREE_ID)
            .narrowed(narrowing);
  }

  /** Only this version of this entity. */
  public void narrowToVersion(long entityId, int number) {
    order = OF_ONE_NEWEST_FIRST;
    where.and("v.entity_id = ? and v.version = ?", entityId, number);
  }

  /** Only the entity with this name, of which there may be none. */
  public void narrowToEntity(UUID repoId, String shapeName, String name) {
    order = OF_ONE_NEWEST_FIRST;
    where.and(
        """
        v.entity_id = (
          select k.id from entity k where k.repo_id = ? and k.shape_name = ? and k.name = ?)""",
        repoId,
        shapeName,
        name);
  }

  /** Only versions with this number. */
  public void narrowToNumber(int number) {
    where.and("v.version = ?", number);
  }

  /** Only entities of a shape. */
  public void narrowToShape(long shapeId) {
    where.and("v.shape_id = ?", shapeId);
  }

  /** Nothing. */
  public void narrowToNothing() {
    where.and("false");
  }

  /** Only assertions about some targets. */
  public void narrowToAssertionsAbout(AssertionTargets targets) {
    about = Optional.of(targets);
  }

  /** Begins after a version, in the order of the list. */
  public History startAfter(long seq, int opIndex, long entityId) {
    where.and("(v.valid_from, v.op_index, v.entity_id) < (?, ?, ?)", seq, opIndex, entityId);
    return this;
  }

  /**
   * A statement for a page of versions and one more.
   *
   * @return a statement with rows for {@link Version#read}
   */
  public Statement page(int limit) {
    var inOrder = Pager.inOrder(order);
    if (about.isPresent() && about.get().areListed()) {
      var parameters = new ArrayList<Object>(List.of(PageBytes.max()));
      parameters.addAll(about.get().parameters());
      return new Statement(
          PAGE.formatted(OF_TARGETS.formatted(where.sql(), order), "", inOrder),
          where.parameters(parameters, limit + 1, limit + 1));
    }
    about.ifPresent(targets -> targets.narrow(where));
    return new Statement(
        PAGE.formatted(VERSIONS, where.sql(), inOrder),
        where.parameters(List.of(PageBytes.max()), limit + 1));
  }
}
