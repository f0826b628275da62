package dev.cairn.commit;

import java.time.Instant;
import java.time.temporal.ChronoUnit;

/**
 * The row that a commit locks: the repository's newest sequence number and what continues it.
 *
 * @param watchers counts the changes of who watches the repository; 0 where nobody ever did
 * @param committedAt the time of the newest commit; the epoch if there is none
 */
record Head(long seq, long nextEntityId, byte[] hash, long watchers, Instant committedAt) {
  /**
   * The time of the next commit: now, but never before the newest commit, although the clocks of
   * replicas differ and may be set back. See {@code docs/commits.md}, The answer.
   */
  Instant timeOfNext() {
    var now = Instant.now().truncatedTo(ChronoUnit.MILLIS);
    return now.isAfter(committedAt) ? now : committedAt;
  }
}
