package dev.cairn.client;

/** Selects entities; those that match all filters. The rules are in {@code docs/reads.md}, HEAD. */
public final class Query extends Parameters<Query> {
  private Query() {}

  private Query(Query others, Parameter added) {
    super(others, added);
  }

  /** All entities, including shapes but not built-in ones. */
  public static Query all() {
    return new Query();
  }

  /** The entities of a shape. */
  public static Query of(String shape) {
    return new Query().shape(shape);
  }

  /** Only entities of this kind; {@code collection} means things under the collection shapes. */
  public Query kind(@Values({"shape", "thing", "assertion", "collection"}) String kind) {
    return with("kind", kind);
  }

  /** Only entities whose wref matches a glob: {@code *}, {@code **}, {@code ?}, {@code {a,b}}. */
  public Query match(String glob) {
    return with("match", glob);
  }

  /** Only assertions about this wref or glob; with several targets, about one of them. */
  public Query about(String target) {
    return and("about", target);
  }

  /** Assertions about collections that contain a target count too. */
  public Query resolveCollections() {
    return with("resolveCollections", true);
  }

  /** Retracted entities too; items then have {@code active}. */
  public Query includeInactive() {
    return with("includeInactive", true);
  }

  /**
   * A condition on a field, {@code <path>:<op>:<value>}, such as {@code people:gt:500000}; requires
   * a shape. All conditions must match.
   */
  public Query where(String condition) {
    return and("where", condition);
  }

  /** Only entities about which there is no active assertion of this shape. */
  public Query missing(String shape) {
    return with("missing", "about:" + shape);
  }

  /** The state at a moment, a {@code commitId} or a {@code repoSeq}. */
  public Query at(String moment) {
    return with("at", moment);
  }

  /** Waits up to 30 seconds for a commit; only for {@code head}. */
  public Query waitFor(long repoSeq) {
    return with("waitFor", repoSeq);
  }

  @Override
  Query with(Parameter added) {
    return new Query(this, added);
  }

  @Override
  Query self() {
    return this;
  }
}
