package dev.cairn.content.read;

import dev.cairn.content.EntityRow;
import dev.cairn.platform.database.Rows;
import java.sql.ResultSet;
import java.sql.SQLException;

/**
 * An entity with all that is shown of it.
 *
 * @param shapeVersion the version of the shape that the data was validated against
 * @param createdAt when the entity was created, in milliseconds since 1970
 * @param updatedAt when the version was created, in milliseconds since 1970
 * @param author who created the version
 */
public record EntityDetails(
    EntityRow entity,
    int shapeVersion,
    byte[] dataHash,
    long createdAt,
    long updatedAt,
    String author) {

  static EntityDetails read(ResultSet row) throws SQLException {
    return new EntityDetails(
        EntityRow.read(row),
        row.getInt("shape_version"),
        row.getBytes("data_hash"),
        Rows.millis(row, "created_at"),
        Rows.millis(row, "updated_at"),
        row.getString("author"));
  }
}
