package dev.cairn.search;

import dev.cairn.access.RepositoryAccess;
import dev.cairn.content.EntityRow;
import dev.cairn.platform.page.JsonOut;
import dev.cairn.platform.page.JsonPage;
import dev.cairn.query.Items;
import dev.cairn.search.RankFusion.Ranks;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/**
 * What a search has found, and the page that shows it.
 *
 * @param indexedSeq the commit to which what was searched of the index is complete
 * @param hits the best first; more than a page if there is another one
 * @param shapeCounts how many hits are of each shape; empty if they are not counted
 */
record SearchAnswer(
    long indexedSeq,
    List<Hit> hits,
    List<ShapeCount> shapeCounts,
    List<String> warnings,
    Highlighter highlighter) {
  private static final double ROUNDING = 1_000_000;

  /** An entity that was found. */
  record Hit(EntityRow entity, long id, double score, Ranks ranks) {
    /** Its data; only if it was read. */
    String text() {
      return new String(entity.data(), StandardCharsets.UTF_8);
    }
  }

  /** How many hits are of a shape. */
  record ShapeCount(String shapeName, long count) {}

  /**
   * A page of hits, with a cursor if there are more and the list can be continued.
   *
   * @param cursorAfter the cursor after a hit
   */
  JsonPage page(RepositoryAccess access, SearchRequest request, Function<Hit, String> cursorAfter) {
    var out = new JsonOut().object().name("items").array();
    var shown =
        hits.stream().takeWhile(hit -> hit.entity().data() != null).limit(request.limit()).toList();
    shown.forEach(hit -> write(out, request, hit));
    boolean hasMore = shown.size() < hits.size();
    var next =
        hasMore && !request.mode().usesVectors()
            ? Optional.of(cursorAfter.apply(shown.getLast()))
            : Optional.<String>empty();
    out.endArray();
    if (request.cursor().isEmpty() && request.countsShapes()) {
      out.name("facets").object().name("shape").array();
      for (var count : shapeCounts) {
        out.object().name("value").value(count.shapeName());
        out.name("count").value(count.count()).end();
      }
      out.endArray().end();
    }
    var allWarnings = new ArrayList<>(warnings);
    if (hasMore && request.mode().usesVectors()) {
      allWarnings.add(
          "Only the first %d hits fit into the answer: show fewer `fields`."
              .formatted(shown.size()));
    }
    out.warnings(allWarnings);
    out.name("indexedSeq").value(indexedSeq);
    return out.endPage(request.cursor(), access.seq(), next);
  }

  private void write(JsonOut out, SearchRequest request, Hit hit) {
    out.object();
    Items.members(out, request.fields().of(hit.entity()), request.filter().includeInactive());
    out.name("score").stored(number(hit.score()));
    if (request.mode().usesVectors()) {
      out.name("ranks").object();
      hit.ranks().text().ifPresent(rank -> out.name("text").value(rank));
      hit.ranks().vector().ifPresent(rank -> out.name("vector").value(rank));
      out.end();
    }
    out.name("snippets").array();
    for (var snippet : highlighter.snippets(hit.text())) {
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
