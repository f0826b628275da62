package dev.cairn.access;

import dev.cairn.model.ErrorCode;
import dev.cairn.model.Problem;
import dev.cairn.platform.Database;
import jakarta.enterprise.context.ApplicationScoped;
import java.time.Duration;

/**
 * Token buckets in the database, the same for all replicas. A bucket holds {@code quota} tokens,
 * refills evenly over the window, and takes one token for each call.
 */
@ApplicationScoped
class RateLimiter {
  private final Database database;

  RateLimiter(Database database) {
    this.database = database;
  }

  /**
   * Takes a token, or says how long to wait.
   *
   * @param policy the limit's name, told to the caller
   * @param key whom it counts
   * @param quota tokens a window; 0 switches the limit off
   */
  void take(String policy, String key, int quota, Duration window) {
    if (quota == 0) {
      return;
    }
    double perSecond = quota / (double) window.toSeconds();
    double tokens =
        database
            .first(
                // A refused call stores its level minus one: below zero means refused, and reading
                // it back adds the one again. So one statement both decides and remembers.
                """
                insert into rate_limit as b (bucket, tokens, updated_at)
                values (?, ?::double precision - 1, clock_timestamp())
                on conflict (bucket) do update set
                  tokens = least(?::double precision,
                      (case when b.tokens < 0 then b.tokens + 1 else b.tokens end)
                      + greatest(0, extract(epoch from excluded.updated_at - b.updated_at))
                        * ?::double precision) - 1,
                  updated_at = excluded.updated_at
                returning tokens
                """,
                row -> row.getDouble(1),
                policy + ":" + key,
                quota,
                quota,
                perSecond)
            .orElseThrow();
    if (tokens < 0) {
      long wait = Math.max(1, (long) Math.ceil(-tokens / perSecond));
      throw Problem.of(
              ErrorCode.RATE_LIMITED,
              "At most %d %s in %d seconds.".formatted(quota, policy, window.toSeconds()))
          .with("retryAfter", wait);
    }
  }
}
