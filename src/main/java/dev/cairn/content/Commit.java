package dev.cairn.content;

import java.time.Instant;
import java.util.UUID;

/**
 * A commit that is being written or has been written.
 *
 * @param accountId the account that made it, whoever is named as the author
 * @param message null if there is none
 */
public record Commit(
    UUID repoId,
    long seq,
    String commitId,
    byte[] hash,
    byte[] parentHash,
    String author,
    UUID accountId,
    String message,
    Instant createdAt) {

  /** What its rows have of it. */
  public CommitStamp stamp() {
    return new CommitStamp(repoId, seq, author, createdAt);
  }
}
