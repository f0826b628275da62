package dev.cairn.client;

/** Searches entities. The rules are in {@code docs/search.md}. */
public final class SearchQuery extends Parameters<SearchQuery> {
  private SearchQuery() {}

  private SearchQuery(SearchQuery others, Parameter added) {
    super(others, added);
  }

  /** Entities with these words; {@code docs/search.md}, Queries. */
  public static SearchQuery words(String words) {
    return new SearchQuery().with("q", words);
  }

  /** Entities that are similar to one. */
  public static SearchQuery like(String wref) {
    return new SearchQuery().with("like", wref);
  }

  /** {@code text} by words, {@code vector} by similarity, or {@code hybrid}. */
  public SearchQuery mode(String mode) {
    return with("mode", mode);
  }

  /** Only entities of this kind; {@code collection} means things under the collection shapes. */
  public SearchQuery kind(@Values({"shape", "thing", "assertion", "collection"}) String kind) {
    return with("kind", kind);
  }

  /** Only entities whose wref matches a glob: {@code *}, {@code **}, {@code ?}, {@code {a,b}}. */
  public SearchQuery match(String glob) {
    return with("match", glob);
  }

  /** Only assertions about this wref or glob; with several targets, about one of them. */
  public SearchQuery about(String target) {
    return and("about", target);
  }

  /** Assertions about collections that contain a target count too. */
  public SearchQuery resolveCollections() {
    return with("resolveCollections", true);
  }

  /** Retracted entities too; items then have {@code active}. */
  public SearchQuery includeInactive() {
    return with("includeInactive", true);
  }

  /**
   * A condition on a field, {@code <path>:<op>:<value>}, such as {@code people:gt:500000}; requires
   * a shape. All conditions must match.
   */
  public SearchQuery where(String condition) {
    return and("where", condition);
  }

  /** Counts the hits by shape, on the first page. */
  public SearchQuery facets() {
    return with("facets", "shape");
  }

  /** Waits up to 10 seconds until the index has reached a commit. */
  public SearchQuery waitFor(long repoSeq) {
    return with("wait", repoSeq);
  }

  @Override
  SearchQuery with(Parameter added) {
    return new SearchQuery(this, added);
  }

  @Override
  SearchQuery self() {
    return this;
  }
}
