package dev.cairn.search;

import static dev.cairn.platform.page.Page.CURSOR;
import static dev.cairn.platform.page.Page.LIMIT;
import static dev.cairn.query.ShownFields.FIELDS;

import dev.cairn.model.Problem;
import dev.cairn.model.Wref;
import dev.cairn.platform.http.QueryParameters;
import dev.cairn.platform.page.Page;
import dev.cairn.query.EntityFilter;
import dev.cairn.query.ShownFields;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.Predicate;

/**
 * What is searched for; see {@code docs/search.md}.
 *
 * @param text the query as it was written; empty without one
 * @param like the entity that the hits are to be similar to, instead of a query
 * @param countsShapes whether the first page counts the hits by shape
 * @param waitFor the commit that the index must have reached
 */
public record SearchRequest(
    String text,
    SearchMode mode,
    Optional<Wref> like,
    SearchQuery query,
    EntityFilter filter,
    ShownFields fields,
    boolean countsShapes,
    OptionalLong waitFor,
    int limit,
    Optional<String> cursor) {

  private static final String QUERY = "q";
  private static final String LIKE = "like";
  private static final String MODE = "mode";
  private static final String FACETS = "facets";
  private static final String WAIT = "wait";

  /** The names of the parameters. */
  public static final Set<String> PARAMETERS =
      Set.of(
          QUERY,
          LIKE,
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
    var text = parameters.text(QUERY);
    var like = parameters.text(LIKE).map(SearchRequest::like);
    requireOne(text.isPresent(), like.isPresent());
    requireOnly(parameters, FACETS, "shape");
    var mode =
        parameters
            .text(MODE)
            .map(name -> SearchMode.parse("?" + MODE, name))
            .orElse(like.isPresent() ? SearchMode.VECTOR : SearchMode.TEXT);
    if (like.isPresent() && mode != SearchMode.VECTOR) {
      throw Problem.invalid(
          "?" + MODE, "`like` goes with mode=vector, not with mode=%s.".formatted(mode.text()));
    }
    if (mode.usesVectors()) {
      requireNone(parameters, mode);
    }
    return new SearchRequest(
        text.orElse(""),
        mode,
        like,
        text.map(SearchQuery::parse).orElse(SearchQuery.NONE),
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

  /** Whether {@link EntitySearch#prepare} has something to do for a request with parameters. */
  public static boolean needsPreparation(Predicate<String> has) {
    return has.test(WAIT) || has.test(MODE) || has.test(LIKE);
  }

  private static Wref like(String text) {
    var wref = EntityFilter.named("?" + LIKE, text);
    if (!wref.equals(wref.bare())) {
      throw Problem.invalid("?" + LIKE, "`like` names an entity, without a version.");
    }
    return wref;
  }

  private static void requireOne(boolean hasQuery, boolean hasLike) {
    if (hasQuery == hasLike) {
      throw Problem.invalid(
              "?" + QUERY, hasQuery ? "`q` and `like` exclude each other." : "`q` is required.")
          .hint("Give `q`, what to look for, or `like`, an entity to find similar ones.");
    }
  }

  private static void requireOnly(QueryParameters parameters, String name, String value) {
    if (!parameters.text(name).orElse(value).equals(value)) {
      throw Problem.invalid("?" + name, "`%s` must be %s.".formatted(name, value));
    }
  }

  /** What is similar has no end, so it has no pages and no counts, and is not resolved. */
  private static void requireNone(QueryParameters parameters, SearchMode mode) {
    for (var name : List.of("about", "resolveCollections", FACETS, CURSOR)) {
      boolean isGiven =
          name.equals("resolveCollections")
              ? parameters.flag(name)
              : !parameters.texts(name).isEmpty();
      if (isGiven) {
        throw Problem.invalid(
                "?" + name,
                "`%s` goes with mode=text, not with mode=%s.".formatted(name, mode.text()))
            .hint("Leave `%s` out, or search with mode=text.".formatted(name));
      }
    }
  }

  /** A text that identifies the list that the request is for, for cursors. */
  String identity() {
    return text.length() + ":" + text + " " + filter.identity();
  }
}
