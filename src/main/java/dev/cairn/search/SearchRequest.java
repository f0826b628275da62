package dev.cairn.search;

import static dev.cairn.platform.page.Page.CURSOR;
import static dev.cairn.platform.page.Page.LIMIT;
import static dev.cairn.query.ShownFields.FIELDS;

import dev.cairn.model.Problem;
import dev.cairn.platform.http.QueryParameters;
import dev.cairn.platform.page.Page;
import dev.cairn.query.EntityFilter;
import dev.cairn.query.ShownFields;
import jakarta.ws.rs.core.UriInfo;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;

/**
 * What is searched for; see {@code docs/search.md}.
 *
 * @param text the query as it was written
 * @param countsShapes whether the first page counts the hits by shape
 * @param waitFor the commit that the index must have reached
 */
public record SearchRequest(
    String text,
    SearchQuery query,
    EntityFilter filter,
    ShownFields fields,
    boolean countsShapes,
    OptionalLong waitFor,
    int limit,
    Optional<String> cursor) {

  private static final String QUERY = "q";
  private static final String MODE = "mode";
  private static final String FACETS = "facets";
  private static final String WAIT = "wait";

  /** The names of the parameters. */
  public static final Set<String> PARAMETERS =
      Set.of(
          QUERY,
          MODE,
          "shape",
          "kind",
          "about",
          "match",
          "includeInactive",
          "resolveCollections",
          "where",
          FIELDS,
          FACETS,
          WAIT,
          LIMIT,
          CURSOR);

  /** The parameters that may be given more than once. */
  public static final Set<String> REPEATABLE = EntityFilter.REPEATABLE;

  /** Reads the parameters of a request. */
  public static SearchRequest of(QueryParameters parameters) {
    var text =
        parameters.text(QUERY).orElseThrow(() -> Problem.invalid("?" + QUERY, "`q` is required."));
    requireOnly(parameters, MODE, "text");
    requireOnly(parameters, FACETS, "shape");
    return new SearchRequest(
        text,
        SearchQuery.parse(text),
        EntityFilter.of(parameters),
        ShownFields.of(parameters),
        parameters.text(FACETS).isPresent(),
        parameters
            .integer(WAIT, 0, Integer.MAX_VALUE)
            .map(OptionalLong::of)
            .orElse(OptionalLong.empty()),
        Page.limit(parameters),
        parameters.text(CURSOR));
  }

  /** Whether a request asks to wait for the index. */
  static boolean waits(UriInfo uri) {
    return uri.getQueryParameters().containsKey(WAIT);
  }

  private static void requireOnly(QueryParameters parameters, String name, String value) {
    if (!parameters.text(name).orElse(value).equals(value)) {
      throw Problem.invalid("?" + name, "`%s` must be %s.".formatted(name, value));
    }
  }

  /** A text that identifies the list that the request is for, for cursors. */
  String identity() {
    return text.length() + ":" + text + " " + filter.identity();
  }
}
