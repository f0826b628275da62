package dev.cairn.content.write;

import dev.cairn.model.EntityKind;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.UUID;

/**
 * The stored state of an entity that planning a commit needs.
 *
 * @param isRewritten whether a rename has changed names in the payload since it was hashed
 * @param dataLength the bytes of the stored payload
 * @param about the target of an assertion; null for anything else
 * @param collectionKey the key that identifies a collection; null for anything else
 * @param definition the stored definition of a shape; null for anything else, and if it was left
 *     out for its size
 */
public record StoredEntity(
    long id,
    EntityKind kind,
    long shapeId,
    String name,
    int version,
    boolean active,
    int shapeVersion,
    byte[] dataHash,
    boolean isRewritten,
    int dataLength,
    About about,
    byte[] collectionKey,
    String definition) {

  /** The columns of an entity {@code e}, without its definition. */
  static final String COLUMNS =
      """
      e.id, e.kind, e.shape_id, e.name, e.version, e.active, e.shape_version, e.data_hash,
      e.is_rewritten,
      octet_length(e.data) as data_length,
      e.about_repo_id, e.about_id, e.about_version, e.about_wref, e.collection_key
      """;

  /**
   * The pinned target of an assertion.
   *
   * @param wref the stored wref: {@code Shape/name@vN}, canonical for an entity of another
   *     repository
   */
  public record About(UUID repoId, long id, int version, String wref) {}

  static StoredEntity read(ResultSet row) throws SQLException {
    return new StoredEntity(
        row.getLong("id"),
        EntityKind.of(row.getString("kind")).orElseThrow(),
        row.getLong("shape_id"),
        row.getString("name"),
        row.getInt("version"),
        row.getBoolean("active"),
        row.getInt("shape_version"),
        row.getBytes("data_hash"),
        row.getBoolean("is_rewritten"),
        row.getInt("data_length"),
        about(row),
        row.getBytes("collection_key"),
        row.getString("definition"));
  }

  private static About about(ResultSet row) throws SQLException {
    var repoId = row.getObject("about_repo_id", UUID.class);
    return repoId == null
        ? null
        : new About(
            repoId,
            row.getLong("about_id"),
            row.getInt("about_version"),
            row.getString("about_wref"));
  }
}
