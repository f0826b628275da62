package dev.cairn.search;

import dev.cairn.content.ChangedEntities;
import dev.cairn.platform.database.Columns;
import dev.cairn.platform.database.Database;
import jakarta.inject.Singleton;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/** Writes the words of entities. Their form is a language: an entity has words in one of them. */
@Singleton
class WordWriter implements PartWriter {
  static final int MAX_ENTITIES = 500;

  private static final String WRITE =
      """
      insert into search_document as d (repo_id, entity_id, words, name_words)
      select ?, n.id, n.words::tsvector, n.name_words
      from unnest(?, ?, ?) as n (id, words, name_words)
      on conflict (repo_id, entity_id) do update
      set words = excluded.words, name_words = excluded.name_words
      where (d.words, d.name_words) is distinct from (excluded.words, excluded.name_words)
      """;

  private final Database database;
  private final Stems stems;

  WordWriter(Database database, Stems stems) {
    this.database = database;
    this.stems = stems;
  }

  @Override
  public IndexPart part() {
    return IndexPart.WORDS;
  }

  @Override
  public int maxEntities() {
    return MAX_ENTITIES;
  }

  @Override
  public Optional<String> presentForm() {
    return Optional.empty();
  }

  @Override
  public boolean canWrite(String form) {
    return true;
  }

  @Override
  public Runnable prepare(
      IndexAttempt attempt, List<String> forms, List<ChangedEntities.Row> entities) {
    var documents = entities.stream().map(DocumentWords::of).toList();
    var words = new HashSet<String>();
    documents.forEach(document -> document.addTo(words));
    var language = forms.getFirst();
    var found = stems.of(language, words);
    var lexemes = new Lexemes(attempt.repoId(), language);
    var vectors = Columns.strings(documents, document -> document.vector(lexemes, found));
    return () ->
        database.update(
            WRITE,
            attempt.repoId(),
            Columns.longs(entities, ChangedEntities.Row::id),
            vectors,
            Columns.ints(documents, DocumentWords::nameWords));
  }

  /** The words in a former language were replaced. */
  @Override
  public boolean deleteFormer(UUID repoId, String form) {
    return false;
  }
}
