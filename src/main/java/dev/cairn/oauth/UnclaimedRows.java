package dev.cairn.oauth;

import dev.cairn.access.limit.Quotas;
import dev.cairn.access.limit.Quotas.Quota;
import dev.cairn.model.ErrorCode;
import dev.cairn.model.Problem;
import dev.cairn.platform.database.Database;
import dev.cairn.platform.database.Expired;
import jakarta.enterprise.context.ApplicationScoped;
import java.time.Instant;

/**
 * Bounds how many rows callers without an account leave behind that no account has claimed yet, for
 * the whole service: a network address has a rate limit, but somebody may have many. Requests at
 * the same time may exceed the number by one each. See {@code docs/limits.md}, Rows of callers
 * without an account.
 */
@ApplicationScoped
class UnclaimedRows {
  private static final int RETRY_SECONDS = 60;

  private final Database database;
  private final Quotas quotas;

  UnclaimedRows(Database database, Quotas quotas) {
    this.database = database;
    this.quotas = quotas;
  }

  /**
   * Makes room for one more row, by deleting the oldest if there are too many.
   *
   * @param before only rows whose moment is before this one may be deleted
   * @throws Problem {@code RATE_LIMITED} if all are newer
   */
  void makeRoom(Quota quota, Expired rows, Instant before) {
    if (!quotas.isOn(quota)) {
      return;
    }
    long count = rows.count(database);
    long excess = count + 1 - quotas.limit(quota);
    if (excess > 0 && rows.delete(database, before, excess) < excess) {
      throw quotas.refusal(quota, ErrorCode.RATE_LIMITED, count).with("retryAfter", RETRY_SECONDS);
    }
  }
}
