package dev.cairn.content.read;

import dev.cairn.content.NameRanges;
import dev.cairn.content.Predicates;
import dev.cairn.content.Source;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/** Queries for the ids of entities {@code e} that meet conditions, in no order. */
public final class EntityIds {
  private EntityIds() {}

  /** Of a source. */
  public static Source of(Source from, Predicates where, int max) {
    return new Source(
        "select e.id from " + from.sql() + " e " + where.sql() + " limit ?",
        List.of(where.parameters(from.parameters(), max)));
  }

  /** Of assertions about listed targets, at most {@code max} of each. */
  public static Source ofTargets(AssertionTargets about, Predicates where, int max) {
    return ofParts(AssertionTargets.SQL, about.parameters(), where, AssertionTargets.ABOUT, max);
  }

  /** Of entities in ranges of names, at most {@code max} of each. */
  public static Source ofRanges(NameRanges ranges, Predicates where, int max) {
    return ofParts(NameRanges.SQL, ranges.parameters(), where, NameRanges.WITHIN, max);
  }

  /**
   * Of one shape after another, at most {@code max} of each.
   *
   * @param shape the only shape to look at; empty for all
   */
  public static Source ofShapes(UUID repoId, Optional<String> shape, Predicates where, int max) {
    var shapes = ShapeWalk.of(repoId, shape, Optional.empty(), "");
    return ofParts(shapes.sql(), shapes.parameters(), where, ShapeWalk.WITHIN, max);
  }

  private static Source ofParts(
      String parts, List<Object> parameters, Predicates where, String within, int max) {
    return new Source(
        "select x.id from "
            + parts
            + " cross join lateral (select e.id from "
            + Source.HEAD.sql()
            + " e "
            + where.sql()
            + within
            + " limit ?) x limit ?",
        List.of(where.parameters(parameters, max, max)));
  }
}
