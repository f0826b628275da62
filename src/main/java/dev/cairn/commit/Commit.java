package dev.cairn.commit;

import dev.cairn.action.Outbox;
import java.time.Instant;
import java.util.UUID;

/**
 * A commit that was made.
 *
 * @param accountId who made it, whoever is named as the author
 * @param message null where there is none
 */
record Commit(
    UUID repoId,
    long seq,
    String commitId,
    byte[] hash,
    byte[] parentHash,
    String author,
    UUID accountId,
    String message,
    Instant createdAt) {

  /** What those who watch the repository hear of it. */
  Outbox.CommitEvent event() {
    return new Outbox.CommitEvent(repoId, seq, commitId, author, message, createdAt);
  }
}
