package dev.cairn.access;

import dev.cairn.platform.Chore;
import dev.cairn.platform.Database;
import dev.cairn.platform.Expired;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;

/**
 * Deletes what time has made useless: expired tokens, addresses of long ago, rate limits that
 * nobody uses, and answers that nobody asks for again.
 */
@Singleton
class Expiry implements Chore {
  /** Each with how long it is kept behind its time. Every window of a rate limit is shorter. */
  private static final Map<Expired, Duration> KEPT =
      Map.of(
          new Expired("refresh_token", "expires_at"), Duration.ZERO,
          new Expired("service_token", "expires_at"), Duration.ZERO,
          new Expired("component_token", "expires_at"), Duration.ZERO,
          new Expired("sign_in_address", "expires_at"), Duration.ZERO,
          new Expired("rate_limit", "updated_at"), Duration.ofDays(1));

  private final Database database;

  Expiry(Database database) {
    this.database = database;
  }

  @Override
  public String name() {
    return "expiry";
  }

  @Override
  public boolean some() {
    var now = Instant.now();
    boolean more = IdempotencyKeys.expireSome(database, now);
    for (var kept : KEPT.entrySet()) {
      more |= kept.getKey().deleteSome(database, now.minus(kept.getValue()));
    }
    return more;
  }
}
