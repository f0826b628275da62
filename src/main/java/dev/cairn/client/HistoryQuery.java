package dev.cairn.client;

/** Selects versions. The rules are in {@code docs/reads.md}, History. */
public final class HistoryQuery extends Parameters<HistoryQuery> {
  private HistoryQuery() {}

  private HistoryQuery(HistoryQuery others, Parameter added) {
    super(others, added);
  }

  /** The versions of one entity. */
  public static HistoryQuery of(String wref) {
    return new HistoryQuery().with("wref", wref);
  }

  /** The versions of all entities of a shape. */
  public static HistoryQuery ofShape(String shape) {
    return new HistoryQuery().shape(shape);
  }

  /** The versions of assertions about this wref or glob. */
  public static HistoryQuery ofAssertionsAbout(String target) {
    return new HistoryQuery().about(target);
  }

  /** Only assertions about this wref or glob; with several targets, about one of them. */
  public HistoryQuery about(String target) {
    return and("about", target);
  }

  @Override
  HistoryQuery with(Parameter added) {
    return new HistoryQuery(this, added);
  }

  @Override
  HistoryQuery self() {
    return this;
  }
}
