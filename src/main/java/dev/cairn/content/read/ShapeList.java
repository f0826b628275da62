package dev.cairn.content.read;

import dev.cairn.access.Narrowing;
import dev.cairn.content.Predicates;
import dev.cairn.content.Statement;
import dev.cairn.content.StoredShapes;
import dev.cairn.content.StoredText;
import dev.cairn.platform.database.Database;
import dev.cairn.platform.memory.PageBytes;
import dev.cairn.platform.page.Pager;
import jakarta.enterprise.context.ApplicationScoped;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.UUID;

/** Lists the active shapes of users, in the order of their names. */
@ApplicationScoped
public class ShapeList {
  /** With an estimate of the bytes that each shape takes: fields, example, samples. */
  private static final String PAGE =
      "select e.name, e.version, "
          + Pager.fitting("e.data", "4 * octet_length(e.data) + 2048")
          + " as data from entity e %s and e.name > ?"
          + Pager.inOrder("e.name")
          + " limit ?";

  private static final String DESCRIBED =
      """
      select e.name, left(%s::json ->> 'description', ?) as description
      from entity e
      where e.repo_id = ? and %s and e.active
      order by e.name limit ?
      """
          .formatted(StoredText.plain("e.data"), StoredShapes.ofUsers("e"));

  private final Database database;

  /**
   * A shape.
   *
   * @param definition the definition as it is stored; null if it does not fit on the page
   */
  public record Shape(String name, int version, byte[] definition) {
    /** The shape of the current row. */
    public static Shape read(ResultSet row) throws SQLException {
      return new Shape(row.getString("name"), row.getInt("version"), row.getBytes("data"));
    }
  }

  /**
   * The name of a shape, and what it is for.
   *
   * @param description the beginning of the shape's description; null if it has none
   */
  public record Described(String name, String description) {}

  ShapeList(Database database) {
    this.database = database;
  }

  /**
   * A statement for a page of shapes that a token may read, and one more, with rows for {@link
   * Shape#read}.
   *
   * @param after the name of the last shape before the page
   */
  public static Statement page(UUID repoId, Narrowing narrowing, String after, int limit) {
    var where =
        new Predicates("e.repo_id = ? and " + StoredShapes.ofUsers("e") + " and e.active", repoId)
            .narrowed(narrowing);
    return new Statement(
        PAGE.formatted(where.sql()), where.parameters(List.of(PageBytes.max()), after, limit + 1));
  }

  /** The first shapes with the first characters of their descriptions. */
  public List<Described> described(UUID repoId, int maxCharacters, int max) {
    return database.list(
        DESCRIBED,
        row -> new Described(row.getString("name"), row.getString("description")),
        maxCharacters,
        repoId,
        max);
  }
}
