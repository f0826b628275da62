package dev.cairn.commit;

import com.fasterxml.jackson.databind.JsonNode;
import dev.cairn.model.DataValidator;
import dev.cairn.model.Operation;
import dev.cairn.model.Problem;
import dev.cairn.model.ShapeDefinition;
import dev.cairn.model.ValidationBudget;
import dev.cairn.model.Violations;
import dev.cairn.model.Wref;

/**
 * One operation of a request: well formed, or with the problem of its form. Remembers the last
 * validation of its payload, since loading needs the references that planning needs again.
 */
final class SubmittedOperation {
  private final int index;
  private final Operation operation;
  private final Problem problem;
  private final String failedName;
  private final ValidationBudget budget;
  private ShapeDefinition validatedWith;
  private DataValidator.Validated validated;
  private ShapeDefinition definition;

  private SubmittedOperation(
      int index, Operation operation, Problem problem, String failedName, ValidationBudget budget) {
    this.index = index;
    this.operation = operation;
    this.problem = problem;
    this.failedName = failedName;
    this.budget = budget;
  }

  /**
   * Reads an operation.
   *
   * @param budget that of the whole commit
   */
  static SubmittedOperation parse(int index, JsonNode json, ValidationBudget budget) {
    try {
      var operation = Operation.parse(json, budget.violations());
      return new SubmittedOperation(index, operation, null, null, budget);
    } catch (Problem e) {
      return new SubmittedOperation(index, null, e, nameOfAdd(json), budget);
    }
  }

  private static String nameOfAdd(JsonNode json) {
    if (!json.path("operation").asText().equals("add") || !json.path("name").isTextual()) {
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

  /** The operation; null where its form is wrong. */
  Operation operation() {
    return operation;
  }

  /** What is wrong with its form; null where nothing is. */
  Problem problem() {
    return problem;
  }

  /** {@code Shape/name} of what an add of a wrong form would have made; null for all others. */
  String failedName() {
    return failedName;
  }

  /** The payload, or null where the operation brings none. */
  JsonNode data() {
    return switch (operation) {
      case Operation.Add add -> add.data();
      case Operation.Revise revise -> revise.data();
      case null, default -> null;
    };
  }

  /**
   * The payload against a shape. The very definition is compared: equal ones are validated anew.
   */
  @SuppressWarnings("ReferenceEquality")
  DataValidator.Validated validated(ShapeDefinition shape) {
    if (validatedWith != shape) {
      validated = DataValidator.validate(shape, data(), budget);
      validatedWith = shape;
    }
    return validated;
  }

  /** A list for what is wrong with its payload. */
  Violations violations() {
    return new Violations(budget.violations());
  }

  /** The payload as a shape's definition; a problem with pointers from the operation's root. */
  ShapeDefinition definition() {
    if (definition == null) {
      try {
        definition = ShapeDefinition.parseNew(data(), budget);
      } catch (Problem e) {
        throw e.at("/data");
      }
    }
    return definition;
  }
}
