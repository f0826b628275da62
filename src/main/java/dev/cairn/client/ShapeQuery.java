package dev.cairn.client;

/** Selects shapes. The rules are in {@code docs/reads.md}, Shapes. */
public final class ShapeQuery extends Parameters<ShapeQuery> {
  private ShapeQuery() {}

  private ShapeQuery(ShapeQuery others, Parameter added) {
    super(others, added);
  }

  /** All shapes of the repository; built-in ones are left out. */
  public static ShapeQuery all() {
    return new ShapeQuery();
  }

  /** Only entities whose wref matches a glob: {@code *}, {@code **}, {@code ?}, {@code {a,b}}. */
  public ShapeQuery match(String glob) {
    return with("match", glob);
  }

  /** Retracted shapes too; items then have {@code active}. */
  public ShapeQuery includeInactive() {
    return with("includeInactive", true);
  }

  @Override
  ShapeQuery with(Parameter added) {
    return new ShapeQuery(this, added);
  }

  @Override
  ShapeQuery self() {
    return this;
  }
}
