package dev.cairn.model;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Which operations of a commit somebody wants to hear of; see {@code docs/subscriptions.md},
 * Filters. Read once and evaluated often.
 */
public final class OperationFilter {
  private static final int BYTES_OF_TEXT = 120;
  private static final int BYTES_AT_LEAST = 400;

  /** To evaluate a condition costs as much as this many steps of a pattern. */
  private static final int STEPS_OF_CONDITION = 4;

  private final Condition condition;
  private final boolean namesOperation;
  private final boolean namesShapes;
  private final int bytes;

  /** An operation as far as a filter can tell one from another. */
  public interface Subject {
    /** {@code add}, {@code revise}, {@code retract} (a revise to inactive) or {@code rename}. */
    String operation();

    /** What it was done to. */
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
    /** The words of {@code operation}, each of which names several operations. */
    record Operations(Set<String> words) implements Condition {}

    /** The words of {@code kind}. */
    record Kinds(Set<String> words) implements Condition {}

    /** The names that the member {@code shape} lists. */
    record Shapes(Set<String> names) implements Condition {}

    /** Local names and wrefs. */
    record Named(Set<String> texts) implements Condition {}

    /** The patterns of {@code match}. */
    record Matches(List<Glob> patterns) implements Condition {}

    /** All of its parts; holds where there are none. */
    record All(List<Condition> parts) implements Condition {}

    /** One of its parts at least. */
    record Any(List<Condition> parts) implements Condition {}

    /** The contrary. */
    record Not(Condition part) implements Condition {}
  }

  OperationFilter(
      Condition condition, boolean namesOperation, boolean namesShapes, int texts, int ofPatterns) {
    this.condition = condition;
    this.namesOperation = namesOperation;
    this.namesShapes = namesShapes;
    this.bytes = BYTES_AT_LEAST + BYTES_OF_TEXT * texts + ofPatterns;
  }

  /**
   * Reads a filter.
   *
   * @throws Problem {@link ErrorCode#VALIDATION_ERROR} with the RFC 6901 pointer within the filter
   */
  public static OperationFilter parse(JsonNode json) {
    return new OperationFilterParser().parse(json);
  }

  /** About how many bytes of memory it takes; not fewer. */
  public int bytes() {
    return bytes;
  }

  /**
   * Texts of which the wref of every operation that it matches holds one; empty where there is no
   * such choice. By them, filters are found that may match: see {@link FilterIndex}.
   */
  Optional<Set<String>> needles() {
    var parts = condition instanceof Condition.All(var all) ? all : List.of(condition);
    return parts.stream().map(OperationFilter::needles).flatMap(Optional::stream).findFirst();
  }

  /** A name is the end of its wref, or all of it. */
  private static Optional<Set<String>> needles(Condition condition) {
    return switch (condition) {
      case Condition.Named(var texts) -> Optional.of(texts);
      case Condition.Matches(var patterns) ->
          Optional.of(patterns.stream().map(Glob::literal).collect(Collectors.toUnmodifiableSet()));
      default -> Optional.empty();
    };
  }

  /**
   * Whether it speaks of shapes: only then it is asked about operations on the watched shape
   * itself.
   */
  public boolean namesShapes() {
    return namesShapes;
  }

  /**
   * Whether the operation is one of those that are wanted.
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
      case Condition.Operations(var words) -> isOneOf(words, operation);
      case Condition.Kinds(var words) -> isOfKind(words, operation);
      case Condition.Shapes(var names) -> isOnOneOf(names, operation);
      case Condition.Named(var texts) ->
          texts.contains(operation.wref()) || texts.contains(operation.name());
      case Condition.Matches(var patterns) -> matchesAny(patterns, operation.wref(), budget);
      case Condition.All(var parts) -> all(parts, operation, budget);
      case Condition.Any(var parts) -> any(parts, operation, budget);
      case Condition.Not(var part) -> !holds(part, operation, budget);
    };
  }

  /** What is done to a shape is done on that shape, too. */
  private static boolean isOnOneOf(Set<String> names, Subject operation) {
    return names.contains(operation.shapeName())
        || (operation.kind() == EntityKind.SHAPE && names.contains(operation.name()));
  }

  /** A retract is a revise, too. */
  private static boolean isOneOf(Set<String> words, Subject operation) {
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
