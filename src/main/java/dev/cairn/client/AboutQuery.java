package dev.cairn.client;

/**
 * Selects assertions about entities. The rules are in {@code docs/reads.md}, Assertions about an
 * entity.
 */
public final class AboutQuery extends Parameters<AboutQuery> {
  private AboutQuery() {}

  private AboutQuery(AboutQuery others, Parameter added) {
    super(others, added);
  }

  /** All assertions. */
  public static AboutQuery all() {
    return new AboutQuery();
  }

  /** Only entities whose wref matches a glob: {@code *}, {@code **}, {@code ?}, {@code {a,b}}. */
  public AboutQuery match(String glob) {
    return with("match", glob);
  }

  /** If at least 2, assertions about assertions are in {@code children}; 1 to 5. */
  public AboutQuery depth(int depth) {
    return with("depth", depth);
  }

  /** Assertions about collections that contain a target count too. */
  public AboutQuery resolveCollections() {
    return with("resolveCollections", true);
  }

  @Override
  AboutQuery with(Parameter added) {
    return new AboutQuery(this, added);
  }

  @Override
  AboutQuery self() {
    return this;
  }
}
