package dev.cairn.content;

import java.time.Instant;
import java.time.temporal.ChronoUnit;

/**
 * The row that a commit locks: the repository's newest sequence number and what continues it.
 *
 * @param nextEntityId the id of the next entity that is added
 * @param hash of the newest commit; 32 zero bytes before the first one
 * @param watchers counts the changes of who watches the repository; 0 if nobody ever did
 * @param committedAt the time of the newest commit; the epoch if there is none
 */
public record Head(long seq, long nextEntityId, byte[] hash, long watchers, Instant committedAt) {
  /**
   * The time of the next commit: now, but never before the newest commit, although the clocks of
   * replicas differ and may be set back. See {@code docs/commits.md}, The answer.
   */
  public Instant timeOfNext() {
    var now = Instant.now().truncatedTo(ChronoUnit.MILLIS);
    return now.isAfter(committedAt) ? now : committedAt;
  }
}
