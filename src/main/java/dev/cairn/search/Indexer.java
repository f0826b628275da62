package dev.cairn.search;

import dev.cairn.content.ChangedEntities;
import dev.cairn.platform.database.Columns;
import dev.cairn.platform.database.Database;
import jakarta.enterprise.context.ApplicationScoped;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.function.ToIntFunction;

/**
 * Brings the index of a repository up to date in slices, each in a transaction that also stores how
 * far it came, so that a restart goes on there. See {@code docs/search.md}, The index.
 */
@ApplicationScoped
class Indexer {
  /** Maximum entities of a slice. */
  static final int MAX_ENTITIES = 500;

  /**
   * Maximum bytes of the data of a slice, unless it is a single entity: its words are in memory.
   */
  private static final int MAX_BYTES = 256 << 10;

  /** A rename may have changed the data of very many entities. */
  private static final String TIMEOUT = "set local statement_timeout = '5min'";

  private static final String WRITE =
      """
      insert into search_document as d (repo_id, entity_id, words, name_words)
      select ?, n.id, n.words::tsvector, n.name_words
      from unnest(?, ?, ?) as n (id, words, name_words)
      on conflict (repo_id, entity_id) do update
      set words = excluded.words, name_words = excluded.name_words
      where (d.words, d.name_words) is distinct from (excluded.words, excluded.name_words)
      """;

  private static final String LIST_RENAMED =
      "insert into search_renamed (repo_id, entity_id) select ?, x.id from ("
          + ChangedEntities.RENAMED
          + ") x on conflict do nothing";

  private final Database database;
  private final ChangedEntities entities;
  private final Stems stems;
  private final VectorWriter vectors;
  private final IndexQueue queue;

  /** Thrown if another worker has the index by now. */
  static final class LostException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    LostException() {
      super("another worker has the index", null, false, false);
    }
  }

  Indexer(
      Database database,
      ChangedEntities entities,
      Stems stems,
      VectorWriter vectors,
      IndexQueue queue) {
    this.database = database;
    this.entities = entities;
    this.stems = stems;
    this.vectors = vectors;
    this.queue = queue;
  }

  /**
   * Indexes a slice: of the commits that are not indexed yet, and of the documents that are in a
   * former form.
   *
   * @return whether there is more to do
   * @throws LostException if the attempt no longer has the index
   */
  boolean slice(IndexAttempt attempt) {
    return database.inNewTransaction(
        () -> {
          var state = queue.state(attempt).orElseThrow(LostException::new);
          var next = rewrite(attempt.repoId(), pass(attempt.repoId(), state.begin().beginPass()));
          if (!queue.save(attempt, next)) {
            throw new LostException();
          }
          return !next.isComplete();
        });
  }

  private IndexState pass(UUID repoId, IndexState state) {
    if (state.pass().isEmpty()) {
      return state;
    }
    var pass = state.pass().get();
    var changed = entities.after(repoId, pass.position(), pass.seq(), MAX_ENTITIES);
    var versions = fitting(changed, ChangedEntities.Changed::bytes);
    write(
        repoId,
        state,
        versions.stream().mapToLong(v -> v.position().entityId()).distinct().toArray());
    if (versions.size() < changed.size() || changed.size() == MAX_ENTITIES) {
      var last = versions.getLast().position();
      return state.with(new IndexState.Pass(pass.seq(), last, pass.areRenamesListed()));
    }
    var position = versions.isEmpty() ? pass.position() : versions.getLast().position();
    if (!pass.areRenamesListed()) {
      listRenamed(repoId, state.indexedSeq(), pass.seq());
    }
    return renamed(repoId, state)
        ? state.with(new IndexState.Pass(pass.seq(), position, true))
        : state.endPass();
  }

  private void listRenamed(UUID repoId, long afterSeq, long untilSeq) {
    var parameters = new ArrayList<Object>(List.of(repoId));
    parameters.addAll(List.of(ChangedEntities.renamed(repoId, afterSeq, untilSeq)));
    database.update(TIMEOUT);
    database.update(LIST_RENAMED, parameters.toArray());
    database.update("set local statement_timeout to default");
  }

  /**
   * Indexes entities that renames have changed.
   *
   * @return whether there may be more
   */
  private boolean renamed(UUID repoId, IndexState state) {
    var listed =
        database.list(
            "select entity_id from search_renamed where repo_id = ? order by entity_id limit ?",
            row -> row.getLong(1),
            repoId,
            MAX_ENTITIES);
    if (listed.isEmpty()) {
      return false;
    }
    var sized = entities.sized(repoId, Columns.longs(listed, Long::longValue));
    var ids = ids(fitting(sized, ChangedEntities.Sized::bytes));
    write(repoId, state, ids);
    database.update(
        "delete from search_renamed where repo_id = ? and entity_id = any (?)", repoId, ids);
    return ids.length < listed.size() || listed.size() == MAX_ENTITIES;
  }

  private IndexState rewrite(UUID repoId, IndexState before) {
    var state = before.beginRewrite();
    if (state.rewrite().isEmpty()) {
      return state;
    }
    var rewrite = state.rewrite().get();
    var next = entities.after(repoId, rewrite.lastId(), MAX_ENTITIES);
    var taken = fitting(next, ChangedEntities.Sized::bytes);
    write(repoId, state, ids(taken));
    if (taken.size() < next.size() || next.size() == MAX_ENTITIES) {
      return state.with(
          Optional.of(new IndexState.Rewrite(rewrite.former(), taken.getLast().id())));
    }
    return vectors.deleteFormer(repoId, state)
        ? state.with(Optional.of(new IndexState.Rewrite(rewrite.former(), Long.MAX_VALUE)))
        : state.with(Optional.empty());
  }

  private static long[] ids(List<ChangedEntities.Sized> entities) {
    return Columns.longs(entities, ChangedEntities.Sized::id);
  }

  /** The first of these whose data fits into a slice, but at least one. */
  private static <T> List<T> fitting(List<T> all, ToIntFunction<T> bytes) {
    long sum = 0;
    int count = 0;
    for (var one : all) {
      sum += bytes.applyAsInt(one);
      if (count > 0 && sum > MAX_BYTES) {
        break;
      }
      count++;
    }
    return all.subList(0, count);
  }

  private void write(UUID repoId, IndexState state, long[] ids) {
    if (ids.length == 0) {
      return;
    }
    var rows = entities.rows(repoId, ids);
    var documents = rows.stream().map(DocumentWords::of).toList();
    var words = new HashSet<String>();
    documents.forEach(document -> document.addTo(words));
    var language = state.form().language();
    var found = stems.of(language, words);
    var lexemes = new Lexemes(repoId, language);
    database.update(
        WRITE,
        repoId,
        Columns.longs(rows, ChangedEntities.Row::id),
        Columns.strings(documents, document -> document.vector(lexemes, found)),
        Columns.ints(documents, DocumentWords::nameWords));
    vectors.write(repoId, state, rows);
  }
}
