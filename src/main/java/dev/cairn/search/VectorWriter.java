package dev.cairn.search;

import dev.cairn.content.ChangedEntities;
import dev.cairn.platform.database.Columns;
import dev.cairn.platform.database.Database;
import dev.cairn.search.Embedder.Passage;
import jakarta.inject.Singleton;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/** Writes the vectors of entities. Their form is the {@linkplain Embedder#version embedder}. */
@Singleton
class VectorWriter implements PartWriter {
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

  @Override
  public IndexPart part() {
    return IndexPart.VECTORS;
  }

  @Override
  public int maxEntities() {
    return embedders.current().maxPassages();
  }

  @Override
  public Optional<String> presentForm() {
    return Optional.of(embedders.current().version());
  }

  @Override
  public boolean canWrite(String form) {
    return embedders.areWritten(form);
  }

  @Override
  public Runnable prepare(
      IndexAttempt attempt, List<String> forms, List<ChangedEntities.Row> entities)
      throws InterruptedException {
    var passages = entities.stream().map(VectorWriter::passage).toList();
    var ids = Columns.longs(entities, ChangedEntities.Row::id);
    var writes = new ArrayList<Runnable>();
    for (var form : forms) {
      var vectors = new ArrayList<StoredVector>();
      for (var vector : embedders.find(form).orElseThrow().embed(passages, attempt.failures())) {
        vectors.add(StoredVector.of(vector));
      }
      writes.add(
          () ->
              database.update(
                  WRITE,
                  attempt.repoId(),
                  form,
                  ids,
                  Columns.strings(vectors, StoredVector::signature),
                  Columns.bytes(vectors, StoredVector::bytes)));
    }
    return () -> writes.forEach(Runnable::run);
  }

  @Override
  public boolean deleteFormer(UUID repoId, String form) {
    return database.update(
            """
            delete from search_vector v using (
              select embedder, entity_id from search_vector
              where repo_id = ? and embedder <> ? limit ?) f
            where v.repo_id = ? and v.embedder = f.embedder and v.entity_id = f.entity_id
            """,
            repoId,
            form,
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
