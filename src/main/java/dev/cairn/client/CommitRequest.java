package dev.cairn.client;

import java.util.List;

/**
 * A batch of operations.
 *
 * @param operations the operations, applied in order
 * @param message the reason for the commit; null if absent
 * @param author the author's name; by default the caller's display name. The account that sent the
 *     commit is stored too; null if absent
 * @param atomic {@code false}: apply as many operations as possible, see {@code docs/commits.md},
 *     Errors; null if absent
 * @param dryRun {@code true}: return the same answer, but write nothing; null if absent
 */
public record CommitRequest(
    List<Operation> operations,
    @Nullable String message,
    @Nullable String author,
    @Nullable Boolean atomic,
    @Nullable Boolean dryRun) {
  /** A commit of these operations, as a whole, by the caller. */
  public static CommitRequest of(Operation... operations) {
    return new CommitRequest(List.of(operations), null, null, null, null);
  }

  /** The same with the reason for it. */
  public CommitRequest withMessage(String reason) {
    return new CommitRequest(operations, reason, author, atomic, dryRun);
  }

  /** The same, which applies as many operations as possible. */
  public CommitRequest asFarAsPossible() {
    return new CommitRequest(operations, message, author, false, dryRun);
  }

  /** The same, which is only checked. */
  public CommitRequest asDryRun() {
    return new CommitRequest(operations, message, author, atomic, true);
  }
}
