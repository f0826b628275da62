package dev.cairn.access.authentication;

import dev.cairn.access.conditional.IdempotencyKeys;
import dev.cairn.platform.CairnConfig;
import dev.cairn.platform.database.Database;
import dev.cairn.platform.database.Expired;
import dev.cairn.work.Chore;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;

/**
 * Deletes what has expired: sessions, tokens and tickets, old addresses of sign-ins, unused rate
 * limits, answers to idempotency keys, and old events of accounts.
 */
@Singleton
class Expiry implements Chore {
  /**
   * Each with how long it is kept after its time. A rate limit is full again after its window, an
   * hour at most; only that of renames may owe tokens, for up to a day.
   */
  private final Map<Expired, Duration> kept;

  private final Database database;

  Expiry(Database database, CairnConfig config) {
    this.database = database;
    this.kept =
        Map.of(
            new Expired("live_ticket", "expires_at"), Duration.ZERO,
            new Expired("session", "expires_at"), Duration.ZERO,
            new Expired("refresh_token", "expires_at"), Duration.ZERO,
            new Expired("service_token", "expires_at"), Duration.ZERO,
            new Expired("sign_in_address", "expires_at"), Duration.ZERO,
            new Expired("rate_limit", "updated_at", "bucket not like 'renames:%'"),
                Duration.ofHours(1),
            new Expired("rate_limit", "updated_at"), Duration.ofDays(1),
            new Expired("account_event", "at"), config.audit().retention());
  }

  @Override
  public String name() {
    return "expiry";
  }

  @Override
  public boolean runBatch() {
    var now = Instant.now();
    boolean more = IdempotencyKeys.expireSome(database, now);
    for (var each : kept.entrySet()) {
      more |= each.getKey().deleteSome(database, now.minus(each.getValue()));
    }
    return more;
  }
}
