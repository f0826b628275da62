package dev.cairn.search;

import dev.cairn.access.RepositoryAccess;
import dev.cairn.access.limit.ReadBounds;
import dev.cairn.content.EntityRow;
import dev.cairn.content.Predicates;
import dev.cairn.content.StoredShapes;
import dev.cairn.platform.database.Database;
import dev.cairn.platform.page.Cursor;
import dev.cairn.platform.page.JsonOut;
import dev.cairn.platform.page.JsonPage;
import dev.cairn.query.EntitySelection;
import dev.cairn.query.EntitySelection.Selected;
import dev.cairn.query.Items;
import jakarta.enterprise.context.ApplicationScoped;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Searches the entities of HEAD by their words. Documents only tell which entities match and how
 * well; what an entity is now, and whether the caller may read it, its own row decides, in the same
 * statement and before anything is cut off. See {@code docs/search.md}.
 */
@ApplicationScoped
public class TextSearch {
  private static final String INDEX =
      "select " + IndexQueue.COLUMNS + " from search_index where repo_id = ?";

  private static final double ROUNDING = 10_000;

  private final Database database;
  private final ReadBounds bounds;
  private final EntitySelection selections;
  private final StoredShapes shapes;
  private final Stems stems;
  private final IndexQueue queue;

  /** An entity that was found. */
  private record Hit(EntityRow entity, long id, double score) {}

  /**
   * What a statement has found.
   *
   * @param hits a page, and one more if there is another page
   * @param examined how many documents or entities were examined
   */
  private record Found(List<Hit> hits, long examined) {}

  /** How many hits are of a shape. */
  private record ShapeCount(String shapeName, long count) {}

  /**
   * What a search has found, before it is written.
   *
   * @param index empty if the repository has none, as after a restore without it
   */
  private record Answer(
      Optional<IndexState> index,
      List<Hit> hits,
      List<ShapeCount> shapeCounts,
      List<String> warnings,
      Highlighter highlighter) {}

  TextSearch(
      Database database,
      ReadBounds bounds,
      EntitySelection selections,
      StoredShapes shapes,
      Stems stems,
      IndexQueue queue) {
    this.database = database;
    this.bounds = bounds;
    this.selections = selections;
    this.shapes = shapes;
    this.stems = stems;
    this.queue = queue;
  }

  /** A page of hits, the best first. */
  public JsonPage page(RepositoryAccess access, SearchRequest request) {
    var list = "search %s %s".formatted(access.repoId(), request.identity());
    var after = request.cursor().map(cursor -> Cursor.read(list, cursor, RankedHits.After::of));
    return bounds.searching(
        access,
        () -> {
          var answer = database.snapshot(() -> new Search(access, request, after).answer());
          return write(access, request, list, answer);
        });
  }

  /** A search, in one snapshot: of the index, its languages, and HEAD. */
  private final class Search {
    private final RepositoryAccess access;
    private final SearchRequest request;
    private final Optional<RankedHits.After> after;
    private final Optional<IndexState> index;
    private final List<String> languages;
    private final Map<String, Map<String, List<String>>> queryStems = new HashMap<>();
    private final Selected selected;

    Search(RepositoryAccess access, SearchRequest request, Optional<RankedHits.After> after) {
      this.access = access;
      this.request = request;
      this.after = after;
      this.index = database.first(INDEX, IndexQueue::state, access.repoId());
      this.languages = index.map(IndexState::languages).orElse(List.of());
      for (var language : languages) {
        queryStems.put(language, stems.of(language, request.query().words()));
      }
      this.selected = selections.of(access, request.filter());
    }

    Answer answer() {
      if (index.isEmpty()) {
        queue.reportMissing(access.repoId());
      }
      if (index.isEmpty() || selected.where().isEmpty()) {
        return answer(new Found(List.of(), 0), Optional.empty(), false);
      }
      var where = selected.where().get();
      var query = TextQuery.of(access.repoId(), request.query(), languages, queryStems::get);
      // The index on words does not know what a narrowed token may read, and how much of the rest
      // matches must change nothing.
      if (!selected.isAbout() && access.narrowing().isUnrestricted()) {
        var ranked = byWords(where, query);
        var found = ranked.map(this::found).orElse(new Found(List.of(), 0));
        boolean isCutOff = found.examined() > RankedHits.MAX_BY_WORDS;
        boolean isFull = found.hits().size() > request.limit();
        if (!isCutOff || (isFull && request.filter().isOnlyByShape())) {
          return answer(found, ranked, isCutOff);
        }
        // The filter, or that most of what matches is inactive, leaves too little of it: the
        // selected entities are looked at instead.
      }
      var ids = selected.ids(access, where, RankedHits.MAX_BY_ENTITIES + 1);
      var ranked =
          RankedHits.byEntities(access.repoId(), ids, where, query, request.query().leastWords());
      var found = found(ranked);
      return answer(found, Optional.of(ranked), found.examined() > RankedHits.MAX_BY_ENTITIES);
    }

    /** Empty if the shape of the filter does not exist. */
    private Optional<RankedHits> byWords(Predicates where, TextQuery query) {
      var shape = request.filter().onlyShape();
      if (shape.isEmpty()) {
        return Optional.of(
            RankedHits.byWords(
                access.repoId(), where, query, query.matching(), request.query().leastWords()));
      }
      return shapes
          .find(access.repoId(), shape.get())
          .map(found -> query.matching(access.repoId(), languages, found.id()))
          .map(
              matching ->
                  RankedHits.byWords(
                      access.repoId(), where, query, matching, request.query().leastWords()));
    }

    private Found found(RankedHits ranked) {
      var hits = new ArrayList<Hit>();
      long[] examined = {0};
      var statement = ranked.page(after, request.limit());
      database.each(
          statement.sql(),
          0,
          row -> {
            examined[0] = row.getLong("examined");
            long id = row.getLong("id");
            return !row.wasNull()
                && hits.add(new Hit(EntityRow.read(row), id, row.getDouble("score")));
          },
          statement.parameters());
      return new Found(hits, examined[0]);
    }

    private Answer answer(Found found, Optional<RankedHits> ranked, boolean isCutOff) {
      boolean isFirst = after.isEmpty();
      var counts =
          isFirst && request.countsShapes()
              ? ranked.map(this::shapeCounts).orElse(List.of())
              : List.<ShapeCount>of();
      var warnings = isFirst ? warnings(found, isCutOff) : List.<String>of();
      return new Answer(index, found.hits(), counts, warnings, highlighter(found.hits()));
    }

    private List<ShapeCount> shapeCounts(RankedHits ranked) {
      var statement = ranked.shapeCounts();
      return database.list(
          statement.sql(),
          row -> new ShapeCount(row.getString(1), row.getLong(2)),
          statement.parameters());
    }

    private List<String> warnings(Found found, boolean isCutOff) {
      var warnings = new ArrayList<>(selections.warnings(access, selected, found.hits().isEmpty()));
      if (isCutOff) {
        warnings.add(
            "Too many entities match: only some of them are ranked and counted. Add words or filters.");
      }
      index
          .flatMap(IndexState::rewrite)
          .ifPresent(
              rewrite ->
                  warnings.add(
                      "The language of the search is being changed from %s to %s."
                          .formatted(rewrite.formerLanguage(), languages.getFirst())));
      if (index.isEmpty()) {
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
            candidates.addAll(highlighter.candidates(text(hit)));
          }
        }
        highlighter.know(stems.of(languages.getFirst(), candidates));
      }
      return highlighter;
    }
  }

  private static String text(Hit hit) {
    return new String(hit.entity().data(), StandardCharsets.UTF_8);
  }

  private JsonPage write(
      RepositoryAccess access, SearchRequest request, String list, Answer answer) {
    var out = new JsonOut().object().name("items").array();
    var shown =
        answer.hits().stream()
            .takeWhile(hit -> hit.entity().data() != null)
            .limit(request.limit())
            .toList();
    shown.forEach(hit -> write(out, request, answer.highlighter(), hit));
    boolean hasMore = shown.size() < answer.hits().size();
    var next =
        hasMore
            ? Optional.of(Cursor.of(list, shown.getLast().score(), shown.getLast().id()))
            : Optional.<String>empty();
    out.endArray();
    if (request.cursor().isEmpty() && request.countsShapes()) {
      out.name("facets").object().name("shape").array();
      for (var count : answer.shapeCounts()) {
        out.object().name("value").value(count.shapeName());
        out.name("count").value(count.count()).end();
      }
      out.endArray().end();
    }
    out.warnings(answer.warnings());
    out.name("indexedSeq").value(answer.index().map(IndexState::indexedSeq).orElse(0L));
    return out.endPage(request.cursor(), access.seq(), next);
  }

  private static void write(JsonOut out, SearchRequest request, Highlighter highlighter, Hit hit) {
    out.object();
    Items.members(out, request.fields().of(hit.entity()), request.filter().includeInactive());
    out.name("score").stored(number(hit.score()));
    out.name("snippets").array();
    for (var snippet : highlighter.snippets(text(hit))) {
      out.object().name("pointer").value(snippet.pointer());
      out.name("text").value(snippet.text()).name("ranges").array();
      for (var range : snippet.ranges()) {
        out.array().value(range[0]).value(range[1]).endArray();
      }
      out.endArray().end();
    }
    out.endArray().end();
  }

  private static byte[] number(double score) {
    return Double.toString(Math.round(score * ROUNDING) / ROUNDING)
        .getBytes(StandardCharsets.US_ASCII);
  }
}
