package dev.cairn.model.filter;

import com.fasterxml.jackson.databind.JsonNode;
import dev.cairn.model.CollectionType;
import dev.cairn.model.EntityKind;
import dev.cairn.model.ErrorCode;
import dev.cairn.model.MatchingBudget;
import dev.cairn.model.Problem;
import dev.cairn.model.glob.Glob;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Selects the operations of a commit that a subscriber is notified of; see {@code
 * docs/subscriptions.md}, Filters. It is parsed once and evaluated often.
 */
public final class OperationFilter {
  /** The cost of evaluating a condition, in steps of a pattern. */
  private static final int STEPS_OF_CONDITION = 4;

  private final Condition condition;
  private final boolean namesOperation;
  private final boolean namesShapes;
  private final int bytes;

  /** The properties of an operation that a filter can test. */
  public interface Subject {
    /** {@code add}, {@code revise}, {@code retract} (a revise to inactive) or {@code rename}. */
    String operation();

    /** The kind of the entity that was changed. */
    EntityKind kind();

    /** The name of the entity's shape; {@code Shape} for one that is itself a shape. */
    String shapeName();

    /** The local name, after the operation. */
    String name();

    /** The local wref without modifier, after the operation. */
    String wref();
  }

  /** A part of a filter. */
  sealed interface Condition {
    /** The values of {@code operation}; {@code revise} includes {@code retract}. */
    record Operations(Set<String> words) implements Condition {}

    /** The values of {@code kind}. */
    record Kinds(Set<String> words) implements Condition {}

    /** The names in the member {@code shape}. */
    record Shapes(Set<String> names) implements Condition {}

    /** The local names and wrefs in the member {@code name}. */
    record Named(Set<String> texts) implements Condition {}

    /** The patterns of {@code match}. */
    record Matches(List<Glob> patterns) implements Condition {}

    /** All of the parts hold; true if there are none. */
    record All(List<Condition> parts) implements Condition {}

    /** At least one of the parts holds. */
    record Any(List<Condition> parts) implements Condition {}

    /** The part does not hold. */
    record Not(Condition part) implements Condition {}
  }

  OperationFilter(Condition condition, boolean namesOperation, boolean namesShapes, int bytes) {
    this.condition = condition;
    this.namesOperation = namesOperation;
    this.namesShapes = namesShapes;
    this.bytes = bytes;
  }

  /**
   * Reads a filter.
   *
   * @throws Problem {@link ErrorCode#VALIDATION_ERROR} with the RFC 6901 pointer within the filter
   */
  public static OperationFilter parse(JsonNode json) {
    return new OperationFilterParser().parse(json);
  }

  /** An upper estimate of the bytes of memory that it takes. */
  public int bytes() {
    return bytes;
  }

  /**
   * Texts, at least one of which every matching operation's wref contains; empty if no such set is
   * known. {@link FilterIndex} finds filters by them.
   */
  Optional<Set<String>> needles() {
    var parts = condition instanceof Condition.All(var all) ? all : List.of(condition);
    return parts.stream().map(OperationFilter::needles).flatMap(Optional::stream).findFirst();
  }

  /** A text of {@code name} is the end of the wref, or all of it. */
  private static Optional<Set<String>> needles(Condition condition) {
    return switch (condition) {
      case Condition.Named(var texts) -> Optional.of(texts);
      case Condition.Matches(var patterns) ->
          Optional.of(patterns.stream().map(Glob::literal).collect(Collectors.toUnmodifiableSet()));
      default -> Optional.empty();
    };
  }

  /**
   * Whether it has a condition on kind {@code shape}: only then is it evaluated for operations on
   * the watched shape itself.
   */
  public boolean namesShapes() {
    return namesShapes;
  }

  /**
   * Whether the operation matches.
   *
   * @throws Problem {@link ErrorCode#PAYLOAD_TOO_LARGE} if the budget is used up
   */
  public boolean matches(Subject operation, MatchingBudget budget) {
    if (!namesOperation && operation.operation().equals("rename")) {
      budget.takeSteps(1);
      return false;
    }
    return holds(condition, operation, budget);
  }

  private static boolean holds(Condition condition, Subject operation, MatchingBudget budget) {
    budget.takeSteps(STEPS_OF_CONDITION);
    return switch (condition) {
      case Condition.Operations(var words) -> isOperation(words, operation);
      case Condition.Kinds(var words) -> isOfKind(words, operation);
      case Condition.Shapes(var names) -> isOnShape(names, operation);
      case Condition.Named(var texts) ->
          texts.contains(operation.wref()) || texts.contains(operation.name());
      case Condition.Matches(var patterns) -> matchesAny(patterns, operation.wref(), budget);
      case Condition.All(var parts) -> all(parts, operation, budget);
      case Condition.Any(var parts) -> any(parts, operation, budget);
      case Condition.Not(var part) -> !holds(part, operation, budget);
    };
  }

  /** An operation on a shape itself counts as an operation on that shape, too. */
  private static boolean isOnShape(Set<String> names, Subject operation) {
    return names.contains(operation.shapeName())
        || (operation.kind() == EntityKind.SHAPE && names.contains(operation.name()));
  }

  /** A retract is a revise, too. */
  private static boolean isOperation(Set<String> words, Subject operation) {
    return words.contains(operation.operation())
        || (operation.operation().equals("retract") && words.contains("revise"));
  }

  /** A collection is a thing, too. */
  private static boolean isOfKind(Set<String> words, Subject operation) {
    return words.contains(operation.kind().wire())
        || (words.contains(OperationFilterParser.COLLECTION)
            && operation.kind() == EntityKind.THING
            && CollectionType.ofShape(operation.shapeName()).isPresent());
  }

  private static boolean matchesAny(List<Glob> patterns, String wref, MatchingBudget budget) {
    for (var pattern : patterns) {
      if (pattern.matches(wref, budget)) {
        return true;
      }
    }
    return false;
  }

  private static boolean all(List<Condition> parts, Subject operation, MatchingBudget budget) {
    for (var part : parts) {
      if (!holds(part, operation, budget)) {
        return false;
      }
    }
    return true;
  }

  private static boolean any(List<Condition> parts, Subject operation, MatchingBudget budget) {
    for (var part : parts) {
      if (holds(part, operation, budget)) {
        return true;
      }
    }
    return false;
  }
}
