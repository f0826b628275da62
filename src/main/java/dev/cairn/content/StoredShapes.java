package dev.cairn.content;

import dev.cairn.model.BuiltinShape;
import dev.cairn.platform.database.Database;
import jakarta.enterprise.context.ApplicationScoped;
import java.util.Optional;
import java.util.UUID;

/** The shapes of a repository: its entities of the shape {@code Shape}, by SQL and by name. */
@ApplicationScoped
public class StoredShapes {
  private static final String BY_NAME =
      "select e.id, e.data from entity e where e.repo_id = ? and " + any("e") + " and e.name = ?";

  private final Database database;

  /**
   * A shape.
   *
   * @param definition the definition as it is stored, for {@link ShapeDefinitions}
   */
  public record StoredShape(long id, String definition) {}

  StoredShapes(Database database) {
    this.database = database;
  }

  /**
   * The condition that an entity is a shape, which the index on names serves.
   *
   * @param entity the alias of a row of {@code entity}
   */
  public static String any(String entity) {
    return entity + ".shape_name = '" + BuiltinShape.SHAPE.shapeName() + "'";
  }

  /** The condition that an entity is a shape that users made; as {@link #any}. */
  public static String ofUsers(String entity) {
    return any(entity) + " and " + entity + ".id >= " + BuiltinShape.FIRST_FREE_ID;
  }

  /** The shape with that name, built-in or not, active or not. */
  public Optional<StoredShape> find(UUID repoId, String name) {
    return database.first(
        BY_NAME, row -> new StoredShape(row.getLong(1), row.getString(2)), repoId, name);
  }
}
