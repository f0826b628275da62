package dev.cairn.content;

import java.time.Instant;
import java.time.temporal.ChronoUnit;

/**
 * The row that a commit locks: the repository's newest sequence number, and the values that the
 * next commit continues from.
 *
 * @param nextEntityId the id of the next entity that is added
 * @param hash the hash of the newest commit; {@link #noHash} before the first one
 * @param watchers rises with changes to the repository's watchers; 0 if it never had any
 * @param committedAt the time of the newest commit; the epoch if there is none
 */
public record Head(long seq, long nextEntityId, byte[] hash, long watchers, Instant committedAt) {
  private static final int HASH_BYTES = 32;

  /** The hash before the first commit: 32 zero bytes. */
  public static byte[] noHash() {
    return new byte[HASH_BYTES];
  }

  /**
   * The time of the next commit: now, but never earlier than the newest commit, because the clocks
   * of replicas may differ or be set back. See {@code docs/commits.md}, The answer.
   */
  public Instant timeOfNext() {
    var now = Instant.now().truncatedTo(ChronoUnit.MILLIS);
    return now.isAfter(committedAt) ? now : committedAt;
  }
}
