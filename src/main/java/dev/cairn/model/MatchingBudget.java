package dev.cairn.model;

/**
 * What it may cost to find the subscriptions that one commit concerns, and again to match its
 * operations, or the names of a batch of reads, with a narrowed token; see {@code
 * docs/subscriptions.md}, Matching. It is done under the repository's lock, so the steps end it
 * after one to two seconds: one takes 4 to 10 ns on a core of 2025.
 */
public final class MatchingBudget {
  /** The steps of one commit. */
  public static final long MAX_STEPS = 150_000_000;

  /** Pairs of an operation and a subscription that it matches, of one commit. */
  public static final long MAX_MATCHES = 1_000_000;

  private final Allowance steps;
  private final Allowance matches;
  private boolean isExhausted;

  /** A budget of these amounts. */
  public MatchingBudget(long steps, long matches) {
    this.steps = new Allowance(steps);
    this.matches = new Allowance(matches);
  }

  /** The budget of a commit that begins. */
  public static MatchingBudget ofCommit() {
    return new MatchingBudget(MAX_STEPS, MAX_MATCHES);
  }

  /** For what is matched outside of a commit, where the number of texts is bounded. */
  public static MatchingBudget unlimited() {
    return new MatchingBudget(Long.MAX_VALUE, Long.MAX_VALUE);
  }

  /**
   * Takes steps of matching. Once they are used up none are left, however few are asked for: what
   * goes on with the next operation after a refusal must not do the work of each first.
   *
   * @throws Problem {@link ErrorCode#PAYLOAD_TOO_LARGE} if fewer are left
   */
  void takeSteps(long count) {
    isExhausted |= !steps.take(count);
    if (isExhausted) {
      throw exceeded(
              "Matching with the patterns of subscriptions, or of the token, takes more than %,d"
                  + " steps.",
              steps)
          .hint(
              "Send fewer operations or names at once, or use fewer subscriptions, or fewer and simpler"
                  + " patterns.");
    }
  }

  /**
   * Takes an operation that a subscription matches.
   *
   * @throws Problem {@link ErrorCode#PAYLOAD_TOO_LARGE} if none is left
   */
  public void takeMatch() {
    if (!matches.take(1)) {
      throw exceeded(
              "The operations have more than %,d matches with the subscriptions that watch this"
                  + " repository, where each operation counts once for each subscription.",
              matches)
          .hint("Send fewer operations at once, or use fewer subscriptions, or narrower filters.");
    }
  }

  private static Problem exceeded(String detail, Allowance allowance) {
    return Problem.of(ErrorCode.PAYLOAD_TOO_LARGE, detail.formatted(allowance.amount()));
  }
}
