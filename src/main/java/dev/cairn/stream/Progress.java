package dev.cairn.stream;

import dev.cairn.commit.SubmittedLines.Applied;
import dev.cairn.model.Sha256;
import dev.cairn.platform.Ids;
import java.util.UUID;

/**
 * How far a submission has come.
 *
 * @param submissionId the same each time that it is sent again with its idempotency key
 * @param contentHash SHA-256 of the lines of the operations so far, each with its line feed
 * @param operations how many have a result
 * @param applied how many of them changed something
 * @param noops how many changed nothing
 * @param errors how many failed
 * @param commitId the last commit that was written; null if there is none
 * @param seq its sequence number; 0 if there is none
 * @param isFinished whether there are no more
 */
@SuppressWarnings("ArrayRecordComponent")
record Progress(
    UUID submissionId,
    byte[] contentHash,
    int operations,
    int applied,
    int noops,
    int errors,
    String commitId,
    long seq,
    boolean isFinished) {

  /** A submission of which nothing has come. */
  static Progress begin() {
    return new Progress(Ids.next(), Sha256.of(""), 0, 0, 0, 0, null, 0, false);
  }

  /**
   * The progress after further operations.
   *
   * @param hash of all lines so far
   */
  Progress after(Applied more, byte[] hash) {
    return new Progress(
        submissionId,
        hash,
        operations + more.applied() + more.noops() + more.errors(),
        applied + more.applied(),
        noops + more.noops(),
        errors + more.errors(),
        more.commitId() == null ? commitId : more.commitId(),
        more.commitId() == null ? seq : more.seq(),
        false);
  }

  /** The progress at the end. */
  Progress finished() {
    return new Progress(
        submissionId, contentHash, operations, applied, noops, errors, commitId, seq, true);
  }
}
