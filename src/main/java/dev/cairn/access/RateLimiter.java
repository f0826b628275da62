package dev.cairn.access;

import dev.cairn.model.ErrorCode;
import dev.cairn.model.Problem;
import dev.cairn.platform.Database;
import jakarta.enterprise.context.ApplicationScoped;
import java.time.Duration;
import java.time.Instant;

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
      throw refusal(policy, quota, window, -tokens / perSecond);
    }
  }

  /** Says how long to wait where the bucket holds no token; takes none where it does. */
  void check(String policy, String key, int quota, Duration window) {
    if (quota == 0) {
      return;
    }
    double perSecond = quota / (double) window.toSeconds();
    double tokens =
        database
            .first(
                """
                select (case when tokens < 0 then tokens + 1 else tokens end)
                  + greatest(0, extract(epoch from clock_timestamp() - updated_at))
                    * ?::double precision
                from rate_limit where bucket = ?
                """,
                row -> row.getDouble(1),
                perSecond,
                policy + ":" + key)
            .orElse((double) quota);
    if (tokens < 1) {
      throw refusal(policy, quota, window, (1 - tokens) / perSecond);
    }
  }

  /** Deletes buckets that were not used for so long that they are full again. */
  int forgetUnused(Instant since, int most) {
    return database.update(
        """
        delete from rate_limit where bucket in (
          select bucket from rate_limit where updated_at < ? order by updated_at limit ?
          for update skip locked)
        """,
        since,
        most);
  }

  private static Problem refusal(String policy, int quota, Duration window, double seconds) {
    return Problem.of(
            ErrorCode.RATE_LIMITED,
            "At most %d %s in %d seconds.".formatted(quota, policy, window.toSeconds()))
        .with("retryAfter", Math.max(1, (long) Math.ceil(seconds)));
  }
}
