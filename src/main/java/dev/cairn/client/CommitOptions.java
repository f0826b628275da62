package dev.cairn.client;

/**
 * How a commit is sent.
 *
 * @param idempotencyKey 1 to 255 visible ASCII characters, with which a request is carried out
 *     once; null to let the client choose one
 * @param ifMatch the state in which to commit, see {@link RepositoryClient#state}; null for any
 * @param summary whether the answer has only the results that need attention, and counts effects
 */
public record CommitOptions(
    @Nullable String idempotencyKey, @Nullable String ifMatch, boolean summary) {
  /** A key of the client, any state, and the results of all operations. */
  public static final CommitOptions DEFAULT = new CommitOptions(null, null, false);

  /** The same with a key. */
  public CommitOptions withIdempotencyKey(String key) {
    return new CommitOptions(key, ifMatch, summary);
  }

  /** The same, only in this state; in any other one it is {@code PRECONDITION_FAILED}. */
  public CommitOptions withIfMatch(String state) {
    return new CommitOptions(idempotencyKey, state, summary);
  }

  /** The same with a short answer. */
  public CommitOptions withSummary() {
    return new CommitOptions(idempotencyKey, ifMatch, true);
  }
}
