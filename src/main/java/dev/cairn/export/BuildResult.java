package dev.cairn.export;

import dev.cairn.access.limit.Quotas.Quota;
import java.time.Duration;

/** The result of an attempt to build an export. */
sealed interface BuildResult {
  /**
   * The export is complete.
   *
   * @param records the number of lines
   * @param sha256 the SHA-256 of all bytes
   */
  record Built(long records, long bytes, byte[] sha256, Duration took) implements BuildResult {}

  /** The attempt failed; the next one may succeed. */
  record Failed() implements BuildResult {}

  /** A quota leaves no room for the export. */
  record Full(Quota quota) implements BuildResult {}

  /** Another worker has taken over the job. */
  record Lost() implements BuildResult {}
}
