package dev.cairn.search;

import dev.cairn.content.ChangedEntities;
import dev.cairn.platform.database.Columns;
import dev.cairn.platform.database.Database;
import dev.cairn.search.Embedder.Passage;
import jakarta.enterprise.context.ApplicationScoped;
import java.util.List;
import java.util.UUID;

/** Writes the vectors of entities, in the transaction that writes their documents. */
@ApplicationScoped
class VectorWriter {
  private static final String WRITE =
      """
      insert into search_vector as v (repo_id, embedder, entity_id, signature, vector)
      select ?, ?, n.id, n.signature::bit(512), n.vector
      from unnest(?, ?, ?) as n (id, signature, vector)
      on conflict (repo_id, embedder, entity_id) do update
      set signature = excluded.signature, vector = excluded.vector
      where v.vector is distinct from excluded.vector
      """;

  /** Maximum vectors that a slice deletes. */
  private static final int MAX_DELETED = 2_000;

  private final Database database;
  private final Embedders embedders;

  VectorWriter(Database database, Embedders embedders) {
    this.database = database;
    this.embedders = embedders;
  }

  /** Writes the vectors of entities by each embedder of an index that this program has. */
  void write(UUID repoId, IndexState state, List<ChangedEntities.Row> rows) {
    for (var version : state.embedders()) {
      embedders.find(version).ifPresent(embedder -> write(repoId, embedder, rows));
    }
  }

  private void write(UUID repoId, Embedder embedder, List<ChangedEntities.Row> rows) {
    var vectors =
        embedder.embed(rows.stream().map(VectorWriter::passage).toList()).stream()
            .map(StoredVector::of)
            .toList();
    database.update(
        WRITE,
        repoId,
        embedder.version(),
        Columns.longs(rows, ChangedEntities.Row::id),
        Columns.strings(vectors, StoredVector::signature),
        Columns.bytes(vectors, StoredVector::bytes));
  }

  /**
   * Deletes vectors that are not of the embedder of an index, not all at once: the index waits.
   *
   * @return whether there may be more
   */
  boolean deleteFormer(UUID repoId, IndexState state) {
    return database.update(
            """
            delete from search_vector v using (
              select embedder, entity_id from search_vector
              where repo_id = ? and embedder <> ? limit ?) f
            where v.repo_id = ? and v.embedder = f.embedder and v.entity_id = f.entity_id
            """,
            repoId,
            state.form().embedder(),
            MAX_DELETED,
            repoId)
        == MAX_DELETED;
  }

  /** The name and all texts of an entity, up to what an embedder reads. */
  static Passage passage(ChangedEntities.Row entity) {
    var body = new StringBuilder();
    JsonTexts.read(
        entity.data(),
        text -> {
          body.append(text).append('\n');
          return body.length() < Embedder.MAX_CHARACTERS;
        });
    return new Passage(entity.name(), body.toString());
  }
}
