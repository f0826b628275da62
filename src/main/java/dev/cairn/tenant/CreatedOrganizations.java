package dev.cairn.tenant;

import dev.cairn.access.limit.Quotas;
import dev.cairn.access.limit.Quotas.Quota;
import dev.cairn.access.limit.RateLimiter;
import dev.cairn.platform.CairnConfig;
import dev.cairn.platform.database.Database;
import jakarta.enterprise.context.ApplicationScoped;
import java.time.Duration;
import java.util.UUID;

/**
 * Limits how many of the organizations that an account has created exist, and how fast it creates
 * them. Organizations that others made it an owner of do not count, so nobody uses up the quota of
 * somebody else.
 */
@ApplicationScoped
class CreatedOrganizations {
  private static final Duration HOUR = Duration.ofHours(1);

  private final Database database;
  private final Quotas quotas;
  private final RateLimiter limiter;
  private final int perHour;

  CreatedOrganizations(Database database, Quotas quotas, RateLimiter limiter, CairnConfig config) {
    this.database = database;
    this.quotas = quotas;
    this.limiter = limiter;
    this.perHour = config.limits().organizationsPerHour();
  }

  /** Counts an attempt to create one; to be called outside of any transaction. */
  void limitRate(UUID accountId) {
    limiter.take("organizations", "account:" + accountId, perHour, HOUR);
  }

  /** Refuses one more, and holds off all others of this account until this transaction ends. */
  void refuseOneMore(UUID accountId) {
    if (!quotas.isOn(Quota.ORGANIZATIONS)) {
      return;
    }
    database.list("select from account where id = ? for no key update", _ -> true, accountId);
    quotas.refuseOneMore(Quota.ORGANIZATIONS, created(accountId));
  }

  private long created(UUID accountId) {
    return database
        .first(
            "select count(*) from organization where creator_id = ?",
            row -> row.getLong(1),
            accountId)
        .orElseThrow();
  }
}
