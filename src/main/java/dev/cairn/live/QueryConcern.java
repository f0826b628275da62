package dev.cairn.live;

import dev.cairn.model.BuiltinShape;
import dev.cairn.model.MatchingBudget;
import dev.cairn.model.Problem;
import dev.cairn.query.EntityFilter;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Whether a commit may change the result of a query. If that takes a look at more than the names
 * that the commit changed, the answer is yes: a run that finds nothing costs a read, and a missing
 * one leaves the client with an old result.
 */
final class QueryConcern {
  /**
   * The steps of matching patterns for one commit and all queries of a WebSocket, which take about
   * 1 ms; beyond them a commit may concern every query that is left.
   */
  private static final long MAX_STEPS = 200_000;

  private final EntityFilter filter;
  private final Optional<String> prefix;
  private final Optional<String> missingPrefix;

  /** The hash codes of the targets' names: two with the same one cost a run, and no memory. */
  private final Set<Integer> targets;

  /** The definition of the shape whose fields the query compares. */
  private final Optional<String> definition;

  QueryConcern(EntityFilter filter) {
    this.filter = filter;
    this.prefix = filter.shape().map(QueryConcern::prefix);
    this.missingPrefix = filter.missing().map(QueryConcern::prefix);
    this.targets =
        filter.about().wrefs().stream()
            .map(wref -> wref.local().hashCode())
            .collect(Collectors.toUnmodifiableSet());
    this.definition =
        filter
            .shape()
            .filter(_ -> !filter.where().isEmpty())
            .map(shape -> prefix(BuiltinShape.SHAPE.shapeName()) + shape);
  }

  private static String prefix(String shape) {
    return shape + "/";
  }

  /** A budget for one commit and all queries of a WebSocket. */
  static MatchingBudget budget() {
    return new MatchingBudget(MAX_STEPS, 0);
  }

  /** Whether the result depends on repositories whose commits are not told. */
  boolean isForeign() {
    return filter.about().wrefs().stream().anyMatch(wref -> !wref.isLocal());
  }

  /** Whether patterns are matched to find out. */
  boolean hasPatterns() {
    return filter.match().isPresent() || !filter.about().patterns().isEmpty();
  }

  /** Whether the commit may change the result; so it may if the budget is exhausted. */
  boolean of(Change change, MatchingBudget budget) {
    // A rename changes the texts of whatever refers to the entity, and of what is in a shape.
    if (change.isTruncated() || change.hasRenames() || filter.resolveCollections()) {
      return true;
    }
    try {
      return change.wrefs().stream().anyMatch(wref -> of(wref, budget));
    } catch (Problem _) {
      return true; // too many steps
    }
  }

  private boolean of(String changed, MatchingBudget budget) {
    return isSelected(changed, budget)
        || missingPrefix.filter(changed::startsWith).isPresent()
        || targets.contains(changed.hashCode())
        || filter.about().patterns().stream().anyMatch(glob -> glob.matches(changed, budget))
        || definition.filter(changed::equals).isPresent();
  }

  private boolean isSelected(String changed, MatchingBudget budget) {
    return prefix.map(changed::startsWith).orElse(true)
        && filter.match().map(glob -> glob.matches(changed, budget)).orElse(true);
  }
}
