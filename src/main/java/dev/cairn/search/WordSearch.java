package dev.cairn.search;

import dev.cairn.access.RepositoryAccess;
import dev.cairn.content.Predicates;
import dev.cairn.platform.database.Database;
import dev.cairn.platform.database.StatementBatch;
import dev.cairn.query.EntitySelection.Selected;
import dev.cairn.search.TextQuery.Stages;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/**
 * A search for the best hits by words: by the index on words, and if the filter leaves too few of
 * what that has found, among the selected entities.
 *
 * @param <H> what is read of a hit
 */
final class WordSearch<H> {
  private final Database database;
  private final RepositoryAccess access;
  private final SearchRequest request;
  private final Selected selected;
  private final Predicates where;
  private final TextQuery query;
  private final Function<RankedHits, RankedHits.Statement> statement;
  private final Database.RowMapper<H> read;
  private final StatementBatch first = new StatementBatch();
  private final boolean isByIndex;

  /** Null if nothing can match. */
  private final Attempt attempt;

  /**
   * What was found.
   *
   * @param hits a page, and one more if there is another page
   * @param ranked the statements that have found it; empty if there was nothing to look for
   * @param isCutOff whether only some of what matches was ranked
   */
  record Found<H>(List<H> hits, Optional<RankedHits> ranked, boolean isCutOff) {}

  /** One of the two ways, and what it has found. */
  private final class Attempt {
    private final RankedHits ranked;
    private final List<H> hits = new ArrayList<>();
    private long examined;

    Attempt(RankedHits ranked, StatementBatch batch) {
      this.ranked = ranked;
      var sent = statement.apply(ranked);
      batch.add(sent.sql(), this::take, sent.parameters());
    }

    private boolean take(ResultSet row) throws SQLException {
      examined = row.getLong("examined");
      return row.getObject("id") != null && hits.add(read.map(row));
    }

    Found<H> found(long maximum) {
      return new Found<>(hits, Optional.of(ranked), examined > maximum);
    }
  }

  /**
   * A search in one snapshot.
   *
   * @param stages what the index on words is asked for; empty if nothing can match
   * @param statement the one that reads the hits
   * @param read reads one of them
   */
  WordSearch(
      Database database,
      RepositoryAccess access,
      SearchRequest request,
      Selected selected,
      Predicates where,
      TextQuery query,
      Optional<Stages> stages,
      Function<RankedHits, RankedHits.Statement> statement,
      Database.RowMapper<H> read) {
    this.database = database;
    this.access = access;
    this.request = request;
    this.selected = selected;
    this.where = where;
    this.query = query;
    this.statement = statement;
    this.read = read;
    // The index on words does not know what a narrowed token may read, and how much of the rest
    // matches must change nothing.
    isByIndex = !selected.isAbout() && access.narrowing().isUnrestricted();
    attempt = isByIndex ? stages.map(this::byIndex).orElse(null) : amongSelected(first);
  }

  /** What must be sent before {@link #found}. */
  StatementBatch first() {
    return first;
  }

  /** The best hits. */
  Found<H> found() {
    if (attempt == null) {
      return new Found<>(List.of(), Optional.empty(), false);
    }
    if (!isByIndex) {
      return attempt.found(RankedHits.MAX_BY_ENTITIES);
    }
    var found = attempt.found(RankedHits.MAX_BY_WORDS);
    boolean isFull = found.hits().size() > request.limit();
    if (!found.isCutOff() || (isFull && request.filter().isOnlyByShape())) {
      return found;
    }
    // The filter, or that most of what matches is inactive, leaves too little of it.
    var second = new StatementBatch();
    var further = amongSelected(second);
    database.send(second);
    return further.found(RankedHits.MAX_BY_ENTITIES);
  }

  private Attempt byIndex(Stages stages) {
    int words = request.query().leastWords();
    return new Attempt(RankedHits.byWords(access.repoId(), where, query, stages, words), first);
  }

  private Attempt amongSelected(StatementBatch batch) {
    var ids = selected.ids(access, where, RankedHits.MAX_BY_ENTITIES + 1);
    int words = request.query().leastWords();
    return new Attempt(RankedHits.byEntities(access.repoId(), ids, where, query, words), batch);
  }
}
