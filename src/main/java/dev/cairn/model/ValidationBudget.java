package dev.cairn.model;

/**
 * What validating one commit may cost, whatever the operations are; see {@code docs/model.md},
 * Validation. A validation holds the repository's lock, so the steps end it after about two seconds
 * at the worst: a step of a pattern takes at most 12 ns on a core of 2025.
 *
 * @param violations how many violations are listed beside the first one of each operation
 * @param warnings the same for warnings
 * @param steps how much work is done
 */
public record ValidationBudget(Allowance violations, Allowance warnings, Allowance steps) {
  /** The steps of one commit. */
  public static final long MAX_STEPS = 150_000_000;

  private static final int MAX_WARNINGS = 1_000;

  /** To look at one value costs so many times what one step of a pattern does. */
  static final int STEPS_OF_VALUE = 10;

  /** To keep one reference, beside the length of its pointer. */
  static final int STEPS_OF_REFERENCE = 100;

  /** To compile a pattern, for each unit of its size. */
  static final int STEPS_OF_COMPILING = 500;

  /** The budget of a commit that begins. */
  public static ValidationBudget ofCommit() {
    return new ValidationBudget(
        new Allowance(Violations.LISTED), new Allowance(MAX_WARNINGS), new Allowance(MAX_STEPS));
  }
}
