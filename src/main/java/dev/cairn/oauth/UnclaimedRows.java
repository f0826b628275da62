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
 * Bounds the rows that callers without an account create and that no account has claimed yet, for
 * the whole service: each network address has a rate limit, but one caller may have many addresses.
 * Concurrent requests may exceed the maximum by one row each. See {@code docs/limits.md}, Rows of
 * callers without an account.
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
   * Makes room for one more row by deleting the oldest row if there are too many.
   *
   * @param before only rows that are older than this may be deleted
   * @throws Problem {@code RATE_LIMITED} if all rows are newer
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
