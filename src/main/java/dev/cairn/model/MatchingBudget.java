package dev.cairn.model;

/**
 * Bounds the cost of finding the subscriptions that match one commit. A second budget bounds the
 * matching of its operations with a narrowed token; see {@code docs/subscriptions.md}, Matching.
 * Matching holds the repository's lock, so the limit on steps ends it after one to two seconds: a
 * step takes 4 to 10 ns on a core of 2025. A read has a smaller budget for all names that it
 * matches with the patterns of a narrowed token; see {@code docs/access.md}, Narrowed tokens.
 */
public final class MatchingBudget {
  /** Maximum steps for one commit. */
  public static final long MAX_STEPS = 150_000_000;

  /** Maximum steps for one read, which take 10 to 60 ms. */
  public static final long MAX_STEPS_OF_READ = 10_000_000;

  /** Maximum pairs of an operation and a matching subscription in one commit. */
  public static final long MAX_MATCHES = 1_000_000;

  private final Allowance steps;
  private final Allowance matches;
  private boolean isExhausted;

  /** A budget of these amounts. */
  public MatchingBudget(long steps, long matches) {
    this.steps = new Allowance(steps);
    this.matches = new Allowance(matches);
  }

  /** A new budget for one commit. */
  public static MatchingBudget ofCommit() {
    return new MatchingBudget(MAX_STEPS, MAX_MATCHES);
  }

  /** A new budget for one read; it has no matches of subscriptions. */
  public static MatchingBudget ofRead() {
    return new MatchingBudget(MAX_STEPS_OF_READ, 0);
  }

  /** For single matches, whose cost the lengths of the pattern and of the text bound. */
  public static MatchingBudget unlimited() {
    return new MatchingBudget(Long.MAX_VALUE, Long.MAX_VALUE);
  }

  /**
   * Takes steps of matching. After the first refusal every further request is refused too, even for
   * fewer steps: a caller that continues with the next operation must not do expensive work for
   * each.
   *
   * @throws Problem {@link ErrorCode#PAYLOAD_TOO_LARGE} if fewer are left
   */
  public void takeSteps(long count) {
    isExhausted |= !steps.take(count);
    if (isExhausted) {
      throw exceeded(
              "Matching the patterns of subscriptions, of shapes or of the token takes more than %,d"
                  + " steps.",
              steps)
          .hint(
              "Send fewer operations or names at once, or use fewer subscriptions, or fewer and simpler"
                  + " patterns.");
    }
  }

  /**
   * Takes one match of an operation and a subscription.
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
