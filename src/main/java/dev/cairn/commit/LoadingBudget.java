package dev.cairn.commit;

import dev.cairn.access.Narrowing;
import dev.cairn.model.Allowance;
import dev.cairn.model.ErrorCode;
import dev.cairn.model.MatchingBudget;
import dev.cairn.model.Problem;
import dev.cairn.model.Wref;

/**
 * Bounds the cost of loading what one commit names, and of planning it, in all rounds together; see
 * {@code docs/api.md}, Limits.
 *
 * @param matching the cost of matching the patterns of a narrowed token with operations
 * @param loading the same with names that are to be loaded
 * @param renames how many steps lead through the names that the commit renames: without a bound, a
 *     name that ten thousand shapes get could stand for all of them in each of a million strings
 * @param meanings how many entities all targets may stand for, each counted for each target
 * @param collected how many references of planned versions are worked out again, after renames
 */
record LoadingBudget(
    MatchingBudget matching,
    MatchingBudget loading,
    Allowance renames,
    Allowance meanings,
    Allowance collected) {
  private static final int MAX_RENAMES = 2_000_000;
  private static final int MAX_MEANINGS = 1_000_000;
  private static final int MAX_COLLECTED = 4_000_000;

  static LoadingBudget ofCommit() {
    return new LoadingBudget(
        MatchingBudget.ofCommit(),
        MatchingBudget.ofCommit(),
        new Allowance(MAX_RENAMES),
        new Allowance(MAX_MEANINGS),
        new Allowance(MAX_COLLECTED));
  }

  /**
   * Takes a part of one of the allowances for renames.
   *
   * @throws Problem {@link ErrorCode#PAYLOAD_TOO_LARGE} if too little is left
   */
  static void take(Allowance allowance, long part) {
    if (!allowance.take(part)) {
      throw Problem.of(
              ErrorCode.PAYLOAD_TOO_LARGE,
              "After the renames in this commit, its names could stand for too many others: more than %,d look-ups."
                  .formatted(allowance.amount()))
          .at("/operations")
          .hint("Send the renames in a commit of their own.");
    }
  }

  /**
   * Whether a narrowed token may read a wref that the commit names or refers to.
   *
   * @throws Problem {@link ErrorCode#PAYLOAD_TOO_LARGE} if that takes too many steps
   */
  boolean canRead(Narrowing narrowing, Wref wref) {
    try {
      return narrowing.canRead(wref, loading);
    } catch (Problem e) {
      throw e.at("/operations");
    }
  }
}
