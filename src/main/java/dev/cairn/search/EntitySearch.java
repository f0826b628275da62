package dev.cairn.search;

import dev.cairn.access.CurrentCaller;
import dev.cairn.access.RepositoryAccess;
import dev.cairn.access.limit.ReadBounds;
import dev.cairn.content.ByKey;
import dev.cairn.content.EntityRow;
import dev.cairn.content.Predicates;
import dev.cairn.content.StoredShapes;
import dev.cairn.model.Problem;
import dev.cairn.platform.database.Columns;
import dev.cairn.platform.database.Database;
import dev.cairn.platform.memory.PageBytes;
import dev.cairn.platform.page.Cursors;
import dev.cairn.platform.page.JsonPage;
import dev.cairn.query.EntitySelection;
import dev.cairn.query.EntitySelection.Selected;
import dev.cairn.search.RankFusion.Ranks;
import dev.cairn.search.SearchAnswer.Hit;
import dev.cairn.search.SearchAnswer.ShapeCount;
import dev.cairn.search.TextQuery.Stages;
import jakarta.enterprise.context.ApplicationScoped;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/**
 * Searches the entities of HEAD by their words, by their vectors, or by both. Documents and vectors
 * only tell which entities match and how well; what an entity is now, and whether the caller may
 * read it, its own row decides, in the same statement and before anything is cut off. See {@code
 * docs/search.md}.
 */
@ApplicationScoped
public class EntitySearch {
  /** How many of the best hits by words are fused with those by vectors, which are as many. */
  private static final int FUSED = NearestVectors.CANDIDATES;

  /** The entities with given ids, in the order of these. */
  private static final String BY_IDS =
      "select "
          + EntityRow.PAGED
          + " from unnest(?) with ordinality n (id, at) cross join lateral "
          + ByKey.entity("?", "n.id")
          + " e window page as (order by n.at rows unbounded preceding) order by n.at";

  private static final String WITHOUT_WORDS =
      """
      not exists (
        select from search_document x
        where x.repo_id = e.repo_id and x.entity_id = e.id and x.words @@ ?::tsquery)""";

  private static final String TOO_MANY_MATCH =
      "Too many entities match: only some of them are ranked and counted. Add words or filters.";

  /** Words of hits whose stems are in memory at the same time. */
  private static final int CANDIDATES_AT_ONCE = 5_000;

  private final CurrentCaller caller;
  private final Database database;
  private final ReadBounds bounds;
  private final Cursors cursors;
  private final EntitySelection selections;
  private final StoredShapes shapes;
  private final Stems stems;
  private final IndexStates states;
  private final IndexWait wait;
  private final QueryVectors queryVectors;
  private final Embedders embedders;
  private final NearestVectors nearestVectors;

  EntitySearch(
      CurrentCaller caller,
      Database database,
      ReadBounds bounds,
      Cursors cursors,
      EntitySelection selections,
      StoredShapes shapes,
      Stems stems,
      IndexStates states,
      IndexWait wait,
      QueryVectors queryVectors,
      Embedders embedders,
      NearestVectors nearestVectors) {
    this.caller = caller;
    this.database = database;
    this.bounds = bounds;
    this.cursors = cursors;
    this.selections = selections;
    this.shapes = shapes;
    this.stems = stems;
    this.states = states;
    this.wait = wait;
    this.queryVectors = queryVectors;
    this.embedders = embedders;
    this.nearestVectors = nearestVectors;
  }

  /**
   * Waits until the index is as the search requires, and embeds its query. Either may take long, so
   * this must be called without a connection, and what the caller may do must be verified again.
   *
   * @return for {@link #page}
   * @throws Problem also {@code UNAUTHENTICATED} if the token is not valid any longer
   */
  public QueryVector prepare(RepositoryAccess access, SearchRequest request) {
    wait.await(access, request);
    var vector = queryVectors.of(access, request);
    caller.verifyAfterWait();
    return vector;
  }

  /** A page of hits, the best first. */
  public JsonPage page(RepositoryAccess access, SearchRequest request, QueryVector vector) {
    var list = "search %s %s".formatted(access.repoId(), request.identity());
    var after = request.cursor().map(cursor -> cursors.read(list, cursor, RankedHits.After::of));
    return bounds.searching(
        access,
        () -> {
          var answer = database.snapshot(() -> new Search(access, request, after, vector).answer());
          return answer.page(access, request, last -> cursors.of(list, last.score(), last.id()));
        });
  }

  /** A search, in one snapshot: of the index, its languages, and HEAD. */
  private final class Search {
    private final RepositoryAccess access;
    private final SearchRequest request;
    private final Optional<RankedHits.After> after;
    private final QueryVector vector;
    private final Map<IndexPart, IndexState> index;
    private final List<String> languages;
    private final Map<String, Map<String, List<String>>> queryStems = new HashMap<>();
    private final Selected selected;

    Search(
        RepositoryAccess access,
        SearchRequest request,
        Optional<RankedHits.After> after,
        QueryVector vector) {
      this.access = access;
      this.request = request;
      this.after = after;
      this.vector = vector;
      this.index = states.of(access.repoId(), request.mode().parts());
      var words = index.get(IndexPart.WORDS);
      this.languages = words == null ? List.of() : words.forms();
      for (var language : languages) {
        queryStems.put(language, stems.of(language, request.query().words()));
      }
      this.selected = selections.of(access, request.filter());
    }

    SearchAnswer answer() {
      if (isMissing()) {
        states.reportMissing(access.repoId());
      } else if (request.mode().usesVectors() && !index.get(IndexPart.VECTORS).isOn()) {
        throw Problem.invalid("?mode", "The settings of this repository switch vectors off.")
            .hint("Search with mode=text.");
      }
      if (isMissing() || selected.where().isEmpty()) {
        return answer(List.of(), Optional.empty(), List.of());
      }
      var where = selected.where().get();
      return switch (request.mode()) {
        case TEXT -> textAnswer(where);
        case VECTOR -> vectorAnswer(where);
        case HYBRID -> hybridAnswer(where);
      };
    }

    /** As after a restore without the index. */
    private boolean isMissing() {
      return index.size() < request.mode().parts().size();
    }

    private SearchAnswer textAnswer(Predicates where) {
      var search =
          words(
              where,
              ranked -> ranked.page(after, request.limit()),
              row ->
                  new Hit(
                      EntityRow.read(row), row.getLong("id"), row.getDouble("score"), Ranks.NONE));
      database.send(search.first());
      var byWords = search.found();
      return answer(
          byWords.hits(),
          byWords.ranked(),
          byWords.isCutOff() ? List.of(TOO_MANY_MATCH) : List.of());
    }

    private SearchAnswer vectorAnswer(Predicates where) {
      var search = vectors(where);
      database.send(search.first());
      var nearest = search.found();
      return answer(
          hits(RankFusion.ofVectors(nearest.hits(), request.limit())),
          Optional.empty(),
          warnings(nearest));
    }

    /** Both are searched in one round trip, unless one of them then has to look further. */
    private SearchAnswer hybridAnswer(Predicates where) {
      var words =
          words(
              where,
              ranked -> ranked.ids(FUSED + 1),
              row -> new ScoredEntity(row.getLong("id"), row.getDouble("score")));
      var vectors = vectors(where.copy());
      database.send(words.first().add(vectors.first()));
      var byWords = words.found();
      var nearest = vectors.found();
      var texts = byWords.hits().stream().limit(FUSED).toList();
      var warnings = new ArrayList<>(warnings(nearest));
      if (byWords.isCutOff()) {
        warnings.addFirst(TOO_MANY_MATCH);
      }
      return answer(
          hits(RankFusion.of(texts, nearest.hits(), request.limit())), Optional.empty(), warnings);
    }

    private <H> WordSearch<H> words(
        Predicates where,
        Function<RankedHits, RankedHits.Statement> statement,
        Database.RowMapper<H> read) {
      var query = TextQuery.of(access.repoId(), request.query(), languages, queryStems::get);
      return new WordSearch<>(
          database, access, request, selected, where, query, stages(query), statement, read);
    }

    /** What documents of the shape of the filter match; empty if that does not exist. */
    private Optional<Stages> stages(TextQuery query) {
      var shape = request.filter().onlyShape();
      return shape.isEmpty()
          ? Optional.of(query.stages(Optional.empty()))
          : shapes
              .find(access.repoId(), shape.get())
              .map(found -> TextQuery.ofShape(access.repoId(), languages, found.id()))
              .map(ofShape -> query.stages(Optional.of(ofShape)));
    }

    /** Those that have no word that the query excludes. */
    private NearestVectors.Search vectors(Predicates where) {
      if (!(vector instanceof QueryVector.Known known)) {
        return NearestVectors.Search.ofNothing();
      }
      if (request.like().isPresent()) {
        where.and("e.id <> ?", known.entityId());
      } else {
        TextQuery.of(access.repoId(), request.query(), languages, queryStems::get)
            .excluded()
            .ifPresent(excluded -> where.and(WITHOUT_WORDS, excluded));
      }
      return nearestVectors.search(
          access, selected, where, known.embedder(), known.vector(), request.limit());
    }

    private List<String> warnings(NearestVectors.Found nearest) {
      var warnings = new ArrayList<String>();
      if (nearest.isCutOff()) {
        warnings.add(
            "Too many entities are selected: only some of them are compared. Add filters.");
      }
      switch (vector) {
        case QueryVector.Known known when hasAllVectorsOf(known.embedder()) -> {}
        case QueryVector.Failed _ ->
            warnings.add("The embedding service does not answer: hits are found by words only.");
        default -> warnings.add("The vectors are being built: hits may be missing.");
      }
      return warnings;
    }

    private boolean hasAllVectorsOf(String embedder) {
      return embedders.areWritten(embedder) && index.get(IndexPart.VECTORS).isCompleteIn(embedder);
    }

    private List<Hit> hits(List<RankFusion.Fused> fused) {
      var entities =
          database.list(
              BY_IDS,
              EntityRow::read,
              PageBytes.max(),
              Columns.longs(fused, RankFusion.Fused::id),
              access.repoId());
      var hits = new ArrayList<Hit>();
      for (int i = 0; i < entities.size(); i++) {
        var one = fused.get(i);
        hits.add(new Hit(entities.get(i), one.id(), one.score(), one.ranks()));
      }
      return hits;
    }

    private SearchAnswer answer(List<Hit> hits, Optional<RankedHits> ranked, List<String> reasons) {
      boolean isFirst = after.isEmpty();
      var counts =
          isFirst && request.countsShapes()
              ? ranked.map(this::shapeCounts).orElse(List.of())
              : List.<ShapeCount>of();
      var warnings = isFirst ? warnings(hits, reasons) : List.<String>of();
      long indexedSeq =
          isMissing()
              ? 0
              : index.values().stream().mapToLong(IndexState::indexedSeq).min().orElse(0);
      return new SearchAnswer(indexedSeq, hits, counts, warnings, highlighter(hits));
    }

    private List<ShapeCount> shapeCounts(RankedHits ranked) {
      var statement = ranked.shapeCounts();
      return database.list(
          statement.sql(),
          row -> new ShapeCount(row.getString(1), row.getLong(2)),
          statement.parameters());
    }

    private List<String> warnings(List<Hit> hits, List<String> reasons) {
      var warnings = new ArrayList<>(selections.warnings(access, selected, hits.isEmpty()));
      warnings.addAll(reasons);
      if (languages.size() > 1) {
        warnings.add(
            "The language of the search is being changed from %s to %s."
                .formatted(languages.getLast(), languages.getFirst()));
      }
      if (isMissing()) {
        warnings.add("There is no search index yet: it is being built.");
      }
      return warnings;
    }

    private Highlighter highlighter(List<Hit> hits) {
      var highlighter = new Highlighter(request.query(), queryStems.values());
      if (languages.stream().anyMatch(language -> !language.equals(Stems.SIMPLE))) {
        var candidates = new HashSet<String>();
        for (var hit : hits) {
          if (hit.entity().data() != null) {
            candidates.addAll(highlighter.candidates(hit.text()));
          }
          if (candidates.size() > CANDIDATES_AT_ONCE) {
            highlighter.know(stems.of(languages.getFirst(), candidates));
            candidates.clear();
          }
        }
        highlighter.know(stems.of(languages.getFirst(), candidates));
      }
      return highlighter;
    }
  }
}
