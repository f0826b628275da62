package dev.cairn.commit;

import com.fasterxml.jackson.databind.JsonNode;
import dev.cairn.model.DataValidator;
import dev.cairn.model.MergePatch;
import dev.cairn.model.Operation;
import dev.cairn.model.Problem;
import dev.cairn.model.ShapeDefinition;
import dev.cairn.model.ValidationBudget;
import dev.cairn.model.Violations;
import dev.cairn.model.Wref;
import dev.cairn.model.glob.Glob;

/**
 * One operation of a request, either well-formed or with the problem of its form. It keeps the last
 * validation of its payload, since both loading and planning need the references.
 */
final class SubmittedOperation {
  private final int index;
  private final Operation operation;
  private final String word;
  private final Problem problem;
  private final String failedName;
  private final String opId;
  private final ValidationBudget budget;
  private ShapeDefinition validatedWith;
  private DataValidator.Validated validated;
  private ShapeDefinition definition;

  /** What a patch makes of the payload that it is applied to; null until that is known. */
  private JsonNode patched;

  private SubmittedOperation(
      int index,
      Operation operation,
      String word,
      Problem problem,
      String failedName,
      String opId,
      ValidationBudget budget) {
    this.index = index;
    this.operation = operation;
    this.word = word;
    this.problem = problem;
    this.failedName = failedName;
    this.opId = opId;
    this.budget = budget;
  }

  /**
   * Reads an operation.
   *
   * @param budget the budget of the whole commit
   */
  static SubmittedOperation parse(int index, JsonNode json, ValidationBudget budget) {
    try {
      var operation = Operation.parse(json, budget.violations());
      return new SubmittedOperation(
          index, operation, operation.wire(), null, null, operation.opId(), budget);
    } catch (Problem e) {
      return new SubmittedOperation(
          index, null, word(json), e, failedName(json), Operation.opId(json), budget);
    }
  }

  /** An operation of which nothing is known but why it cannot be read. */
  static SubmittedOperation unreadable(int index, Problem problem, ValidationBudget budget) {
    return new SubmittedOperation(index, null, null, problem, null, null, budget);
  }

  /** The word that an operation with a wrong form has for what it does, if it is a known one. */
  private static String word(JsonNode json) {
    var word = json.path("operation").textValue();
    return word != null && Operation.WORDS.contains(word) ? word : null;
  }

  /** The name that it was to give, also if the word for that is wrong. */
  private static String failedName(JsonNode json) {
    var word = word(json);
    if (!json.path("name").isTextual() || (word != null && !word.equals("add"))) {
      return null;
    }
    try {
      return Wref.parseShape(json.get("name").textValue()).local();
    } catch (Problem _) {
      return null;
    }
  }

  int index() {
    return index;
  }

  /** The operation; null if its form is wrong. */
  Operation operation() {
    return operation;
  }

  /** What it was to do, such as {@code add}; null if that is not known because of its form. */
  String word() {
    return word;
  }

  /** The problem with its form; null if there is none. */
  Problem problem() {
    return problem;
  }

  /**
   * The {@code Shape/name} that an operation with a wrong form seems to add; null for all others.
   */
  String failedName() {
    return failedName;
  }

  /** The client's own id of the operation; null if it has none, or one that is not valid. */
  String opId() {
    return opId;
  }

  /** The payload; null if the operation has none, and for a patch until it is applied. */
  JsonNode data() {
    return switch (operation) {
      case Operation.Add add -> add.data();
      case Operation.Revise revise -> revise.patch() == null ? revise.data() : patched;
      case null, default -> null;
    };
  }

  /** The merge patch of a revise; null if there is none. */
  JsonNode patch() {
    return operation instanceof Operation.Revise revise ? revise.patch() : null;
  }

  /** Applies the patch to a payload, which gives the operation its own. */
  void applyPatch(JsonNode payload) {
    patched = MergePatch.apply(payload, patch());
    validatedWith = null;
    definition = null;
  }

  /**
   * Validates the payload against a shape. The last result is kept for the same instance of the
   * definition, not for an equal one.
   */
  @SuppressWarnings("ReferenceEquality")
  DataValidator.Validated validated(ShapeDefinition shape) {
    if (validatedWith != shape) {
      validated = DataValidator.validate(shape, data(), budget);
      validatedWith = shape;
    }
    return validated;
  }

  /** A new list for violations in its payload. */
  Violations violations() {
    return new Violations(budget.violations());
  }

  /** The payload as a shape's definition; pointers of the problem begin at the operation's root. */
  ShapeDefinition definition() {
    if (definition == null) {
      try {
        definition = ShapeDefinition.parseNew(data(), budget, Glob::parse);
      } catch (Problem e) {
        throw e.at("/data");
      }
    }
    return definition;
  }
}
