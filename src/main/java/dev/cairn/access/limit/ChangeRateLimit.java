package dev.cairn.access.limit;

import dev.cairn.access.Caller;
import dev.cairn.model.Problem;
import dev.cairn.platform.CairnConfig;
import jakarta.enterprise.context.ApplicationScoped;
import java.time.Duration;

/**
 * Limits how often an account makes changes that can be repeated without end, because each change
 * adds an event to an {@code AuditLog}, which is kept forever. Changes that end or remove
 * something, such as pausing, unbinding, revoking and deleting, are never limited: the thief of a
 * token must not be able to prevent them. See {@code docs/limits.md}, Rate limits.
 */
@ApplicationScoped
public class ChangeRateLimit {
  private static final Duration HOUR = Duration.ofHours(1);

  private final RateLimiter limiter;
  private final int perHour;

  ChangeRateLimit(RateLimiter limiter, CairnConfig config) {
    this.limiter = limiter;
    this.perHour = config.limits().changesPerHour();
  }

  /**
   * Counts a change. Must be called before the transaction that makes it, so that failed attempts
   * count and no change waits for another one of its account.
   *
   * @throws Problem {@code RATE_LIMITED} if there were too many
   */
  public void take(Caller.SignedIn account) {
    limiter.take("changes", "account:" + account.accountId(), perHour, HOUR);
  }
}
