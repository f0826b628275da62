package dev.cairn.access.limit;

import dev.cairn.access.Caller;
import dev.cairn.model.Problem;
import dev.cairn.platform.CairnConfig;
import jakarta.enterprise.context.ApplicationScoped;
import java.time.Duration;

/**
 * Bounds how often an account changes what it can change again and again, because each change adds
 * an event to an {@code AuditLog}, which is kept forever. What ends or takes away something, such
 * as pausing, unbinding, revoking and deleting, is never limited: a thief of a token keeps nobody
 * from that. See {@code docs/limits.md}, Rate limits.
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
   * Counts a change; to be called before the transaction that makes it, so that failed attempts
   * count and no change waits for another one of its account.
   *
   * @throws Problem {@code RATE_LIMITED} if there were too many
   */
  public void take(Caller.SignedIn account) {
    limiter.take("changes", "account:" + account.accountId(), perHour, HOUR);
  }
}
