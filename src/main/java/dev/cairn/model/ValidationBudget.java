package dev.cairn.model;

/**
 * Bounds the cost of validating one commit; see {@code docs/model.md}, Validation. Validation holds
 * the repository's lock, so the limit on steps ends it after at most about two seconds: a step of a
 * pattern takes at most 12 ns on a core of 2025.
 *
 * @param violations how many violations are listed besides the first one of each operation
 * @param warnings the same for warnings
 * @param steps how many steps of work are done
 */
public record ValidationBudget(Allowance violations, Allowance warnings, Allowance steps) {
  /** Maximum steps for one commit. */
  public static final long MAX_STEPS = 150_000_000;

  private static final int MAX_WARNINGS = 1_000;

  /** The cost of one value, in steps of a pattern. */
  static final int STEPS_OF_VALUE = 10;

  /** The cost of looking for a field. */
  static final int STEPS_OF_FIELD = 2;

  /** How many characters of a string are counted in a step. */
  static final int CHARACTERS_PER_STEP = 8;

  /** The cost of a violation or warning that is listed. */
  static final int STEPS_OF_MESSAGE = 100;

  /** The cost of one reference, to which the length of its pointer is added. */
  static final int STEPS_OF_REFERENCE = 100;

  /** What one costs besides if it turns out to be wrong. */
  static final int STEPS_OF_WRONG_REFERENCE = 300;

  /** The characters of a reference that are covered by that. */
  private static final int SHORT_REFERENCE = 32;

  /** The cost of each further character, which may have to be normalized. */
  private static final int STEPS_OF_CHARACTER = 3;

  /** The cost of a text that may be a reference. */
  static long stepsOfReference(String text) {
    long further = Math.max(0, text.length() - SHORT_REFERENCE);
    return STEPS_OF_REFERENCE + STEPS_OF_CHARACTER * further;
  }

  /** The cost of compiling a pattern, for each unit of its size. */
  static final int STEPS_OF_COMPILING = 500;

  /** A new budget for one commit. */
  public static ValidationBudget ofCommit() {
    return new ValidationBudget(
        new Allowance(Violations.MAX_LISTED),
        new Allowance(MAX_WARNINGS),
        new Allowance(MAX_STEPS));
  }
}
