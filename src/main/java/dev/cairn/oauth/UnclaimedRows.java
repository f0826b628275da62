package dev.cairn.oauth;

import dev.cairn.access.limit.Quotas;
import dev.cairn.access.limit.Quotas.Quota;
import dev.cairn.model.ErrorCode;
import dev.cairn.model.Problem;
import dev.cairn.platform.database.Database;
import dev.cairn.platform.database.Expired;
import dev.cairn.platform.http.NetworkAddress;
import jakarta.enterprise.context.ApplicationScoped;
import java.time.Instant;

/**
 * Bounds the rows that callers without an account create and that no account has claimed yet, for
 * the whole service: each network address has a rate limit, but one caller may have many addresses.
 * If there are too many, the wide network with the most rows loses one to another network.
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
   * Makes room for one more row by deleting another one if there are too many.
   *
   * @param before rows that are older than this may be deleted, whatever their network
   * @param network of the new row
   * @throws Problem {@code RATE_LIMITED} if all rows are newer, and no network has more of them
   */
  void makeRoom(Quota quota, Expired rows, Instant before, String network) {
    if (!quotas.isOn(quota)) {
      return;
    }
    long count = rows.count(database);
    long excess = count + 1 - quotas.limit(quota);
    if (excess > 0
        && rows.delete(database, before, excess) < excess
        && !deleteOfLargest(rows, network)) {
      throw quotas.refusal(quota, ErrorCode.RATE_LIMITED, count).with("retryAfter", RETRY_SECONDS);
    }
  }

  /**
   * Deletes the oldest row of the network with the most of them.
   *
   * @return false if this network would then have more than that one
   */
  private boolean deleteOfLargest(Expired rows, String network) {
    var sql =
        """
        delete from %1$s where ctid in (
          select ctid from %1$s where %3$s and network = (
            select network from %1$s where %3$s group by network
            having count(*) > 1 + (select count(*) from %1$s where %3$s and network = ?)
            order by count(*) desc limit 1)
          order by %2$s limit 1
          for update skip locked)
        """
            .formatted(rows.table(), rows.time(), rows.condition());
    return database.update(sql, network) > 0;
  }

  /** The wide network of an address: somebody may have all addresses in it. */
  static String network(String address) {
    return NetworkAddress.networks(address).getFirst();
  }
}
