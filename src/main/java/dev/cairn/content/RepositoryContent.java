package dev.cairn.content;

import dev.cairn.model.BuiltinShape;
import dev.cairn.model.CanonicalJson;
import dev.cairn.model.IJson;
import dev.cairn.model.StoredJson;
import dev.cairn.platform.database.Database;
import dev.cairn.platform.database.RowsOfRepositories;
import jakarta.enterprise.context.ApplicationScoped;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/** Creates the initial content of a repository. */
@ApplicationScoped
public class RepositoryContent implements RowsOfRepositories {
  private final Database database;

  RepositoryContent(Database database) {
    this.database = database;
  }

  /**
   * Writes the head, the built-in shapes and the count of their bytes, in the transaction that
   * creates the repository.
   */
  public void create(UUID repoId, Instant createdAt) {
    database.update(
        "insert into repository_head (repo_id, next_entity_id, hash) values (?, ?, ?)",
        repoId,
        BuiltinShape.FIRST_FREE_ID,
        Head.noHash());
    database.update(
        """
        insert into search_index (repo_id, part, setting, form)
        values (?, 'words', 'simple', 'simple'), (?, 'vectors', 'on', '')
        """,
        repoId,
        repoId);
    var shapes = BuiltinShape.values();
    var ids = new long[shapes.length];
    var names = new String[shapes.length];
    var definitions = new String[shapes.length];
    var hashes = new byte[shapes.length][];
    for (int i = 0; i < shapes.length; i++) {
      var definition = IJson.read(shapes[i].definition().getBytes(StandardCharsets.UTF_8));
      ids[i] = shapes[i].id();
      names[i] = shapes[i].shapeName();
      definitions[i] = StoredJson.of(definition, Map.of());
      hashes[i] = CanonicalJson.hash(definition);
    }
    database.update(
        """
        insert into entity (repo_id, id, kind, shape_id, shape_name, name, version, active,
                            shape_version, data, data_hash, author, created_seq, created_op,
                            created_at, updated_at)
        select ?, b.id, 'shape', ?, ?, b.name, 1, true, 1, b.data, b.hash, 'Cairn', 0, 0,
               t.now, t.now
        from unnest(?, ?, ?, ?) as b (id, name, data, hash), (select ?::timestamptz as now) t
        """,
        repoId,
        BuiltinShape.SHAPE.id(),
        BuiltinShape.SHAPE.shapeName(),
        ids,
        names,
        definitions,
        hashes,
        createdAt);
    database.update(
        """
        insert into entity_version (repo_id, entity_id, version, valid_from, op_index, operation,
                                    active, shape_id, shape_version, data, data_hash)
        select repo_id, id, 1, 0, 0, 'add', true, shape_id, 1, data, data_hash
        from entity where repo_id = ?
        """,
        repoId);
    database.update(
        "update repository_head set stored_bytes = stored_bytes_of(repo_id) where repo_id = ?",
        repoId);
  }

  @Override
  public List<Rows> rowsOfRepositories() {
    return List.of(
        Rows.small("reference"),
        Rows.small("entity_rename"),
        new Rows(
            "entity_version", "pg_column_size(data) + coalesce(pg_column_size(written_data), 0)"),
        Rows.with("entity", "data"),
        Rows.small("entity_count"),
        Rows.with("commit_log", "message"));
  }
}
