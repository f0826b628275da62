package dev.cairn.live;

import dev.cairn.model.BuiltinShape;
import dev.cairn.model.MatchingBudget;
import dev.cairn.model.Problem;
import dev.cairn.model.Wref;
import dev.cairn.query.EntityFilter;

/**
 * Whether a commit may change the result of a query. If that takes a look at more than the names
 * that the commit changed, the answer is yes: a run that finds nothing costs a read, and a missing
 * one leaves the client with an old result.
 */
final class QueryConcern {
  /** Patterns that take more steps for the names of a commit are taken as matching. */
  private static final long MAX_STEPS = 200_000;

  private final EntityFilter filter;

  QueryConcern(EntityFilter filter) {
    this.filter = filter;
  }

  /** Whether the result depends on repositories whose commits are not told. */
  boolean isForeign() {
    return filter.about().wrefs().stream().anyMatch(wref -> !wref.isLocal());
  }

  /** Whether the commit may change the result. */
  boolean of(Change change) {
    // A rename changes the texts of whatever refers to the entity, and of what is in a shape.
    if (change.isTruncated() || change.hasRenames() || filter.resolveCollections()) {
      return true;
    }
    var budget = new MatchingBudget(MAX_STEPS, MatchingBudget.MAX_MATCHES);
    try {
      return change.wrefs().stream().anyMatch(wref -> of(Wref.parse(wref), budget));
    } catch (Problem _) {
      return true; // too many steps
    }
  }

  private boolean of(Wref changed, MatchingBudget budget) {
    return isSelected(changed, budget)
        || filter.missing().filter(changed.shape()::equals).isPresent()
        || isTarget(changed, budget)
        || definesFields(changed);
  }

  private boolean isSelected(Wref changed, MatchingBudget budget) {
    return filter.shape().map(changed.shape()::equals).orElse(true)
        && filter.match().map(glob -> glob.matches(changed.local(), budget)).orElse(true);
  }

  private boolean isTarget(Wref changed, MatchingBudget budget) {
    return filter.about().wrefs().stream().anyMatch(w -> w.local().equals(changed.local()))
        || filter.about().patterns().stream().anyMatch(g -> g.matches(changed.local(), budget));
  }

  /** Whether it is the definition of the shape whose fields the query compares. */
  private boolean definesFields(Wref changed) {
    return !filter.where().isEmpty()
        && changed.shape().equals(BuiltinShape.SHAPE.shapeName())
        && filter.shape().filter(changed.name()::equals).isPresent();
  }
}
