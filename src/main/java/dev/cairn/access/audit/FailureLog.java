package dev.cairn.access.audit;

import dev.cairn.platform.LogIds;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.jboss.logging.Logger;

/**
 * Failed sign-ins in the log: a limited number of lines a minute, and how many were left out. No
 * line contains the e-mail address that was tried, because people type passwords there by mistake.
 */
final class FailureLog {
  private static final Logger LOG = Logger.getLogger(FailureLog.class);

  /** For each replica. */
  static final int MAX_LINES_PER_MINUTE = 60;

  private static final long MINUTE = Duration.ofMinutes(1).toNanos();

  private long minuteBegan = System.nanoTime();
  private int lines;
  private int omitted;

  /**
   * Writes a line, unless there were too many within the minute.
   *
   * @param accountId empty if the address has no account
   */
  synchronized void write(Optional<UUID> accountId, String address) {
    startMinute(System.nanoTime());
    if (lines >= MAX_LINES_PER_MINUTE) {
      omitted++;
      return;
    }
    lines++;
    if (accountId.isEmpty()) {
      LOG.infof("sign_in.failed: an address without an account, from %s", address);
      return;
    }
    try (var _ = LogIds.of(Map.of("accountId", accountId.get()))) {
      LOG.infof("sign_in.failed: a wrong password, from %s", address);
    }
  }

  private void startMinute(long now) {
    if (now - minuteBegan < MINUTE) {
      return;
    }
    if (omitted > 0) {
      LOG.infof("sign_in.failed: %d more were left out of the log", omitted);
    }
    minuteBegan = now;
    lines = 0;
    omitted = 0;
  }
}
