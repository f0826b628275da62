package dev.cairn.access;

import io.quarkus.scheduler.Scheduled;
import jakarta.enterprise.context.ApplicationScoped;
import java.time.Duration;
import java.time.Instant;
import java.util.function.IntSupplier;

/**
 * Deletes what time has made useless: expired refresh tokens, and rate limits that nobody uses.
 * Every replica does so; what one has locked, the others pass over.
 */
@ApplicationScoped
class Expiry {
  /** Every window of a rate limit is shorter. */
  private static final Duration UNUSED = Duration.ofDays(1);

  /** In one statement, so that none runs long or holds many locks. */
  private static final int BATCH = 1_000;

  private final RefreshTokens refreshTokens;
  private final RateLimiter limiter;

  Expiry(RefreshTokens refreshTokens, RateLimiter limiter) {
    this.refreshTokens = refreshTokens;
    this.limiter = limiter;
  }

  @Scheduled(every = "1h", delayed = "5m")
  void run() {
    var now = Instant.now();
    repeat(() -> refreshTokens.forgetExpired(now, BATCH));
    repeat(() -> limiter.forgetUnused(now.minus(UNUSED), BATCH));
  }

  private static void repeat(IntSupplier batch) {
    while (batch.getAsInt() == BATCH) {
      // The next batch.
    }
  }
}
