package dev.cairn.access;

import dev.cairn.model.ErrorCode;
import dev.cairn.model.Problem;
import dev.cairn.model.Sha256;
import dev.cairn.platform.Database;
import dev.cairn.platform.NetworkAddress;
import io.micrometer.core.instrument.MeterRegistry;
import io.quarkus.arc.Arc;
import io.quarkus.vertx.http.runtime.CurrentVertxRequest;
import jakarta.enterprise.context.ApplicationScoped;
import java.time.Duration;
import java.util.HexFormat;

/**
 * Token buckets in the database, the same for all replicas. A bucket holds {@code quota} tokens,
 * refills evenly over the window, and takes one token for each call.
 */
@ApplicationScoped
public class RateLimiter {
  private final Database database;
  private final CurrentVertxRequest request;
  private final MeterRegistry metrics;

  RateLimiter(Database database, CurrentVertxRequest request, MeterRegistry metrics) {
    this.database = database;
    this.metrics = metrics;
    this.request = request;
  }

  /**
   * Takes a token, or says how long to wait. The answer to the request at hand tells of the limit
   * in {@code RateLimit} and {@code RateLimit-Policy}, whichever of the two it was.
   *
   * @param policy the limit's name, told to the caller
   * @param key whom it counts; stored as a hash, since a caller may have put anything into it, a
   *     password too
   * @param quota tokens a window; 0 switches the limit off
   */
  public void take(String policy, String key, int quota, Duration window) {
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
                bucket(policy, key),
                quota,
                quota,
                perSecond)
            .orElseThrow();
    tell(policy, quota, window, Math.max(0, tokens));
    if (tokens < 0) {
      throw refusal(policy, quota, window, -tokens / perSecond);
    }
  }

  /**
   * The same for whoever calls from a network address. Those of IPv6 count by their first 64 bits,
   * which is what one customer is given: anybody there has as many addresses as he likes.
   *
   * @param address in its usual spelling
   */
  public void takeByAddress(String policy, String address, int quota, Duration window) {
    take(policy, "address:" + NetworkAddress.network(address), quota, window);
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
                bucket(policy, key))
            .orElse((double) quota);
    if (tokens < 1) {
      throw refusal(policy, quota, window, (1 - tokens) / perSecond);
    }
  }

  /**
   * As the IETF's draft on rate-limit header fields has it; time until the bucket is full again.
   */
  private void tell(String policy, int quota, Duration window, double left) {
    if (!Arc.container().requestContext().isActive() || request.getCurrent() == null) {
      return;
    }
    long untilFull = (long) Math.ceil((quota - left) * window.toSeconds() / quota);
    request
        .getCurrent()
        .response()
        .headers()
        .add("RateLimit-Policy", "\"%s\";q=%d;w=%d".formatted(policy, quota, window.toSeconds()))
        .add("RateLimit", "\"%s\";r=%d;t=%d".formatted(policy, (long) left, untilFull));
  }

  private static String bucket(String policy, String key) {
    return policy + ":" + HexFormat.of().formatHex(Sha256.of(key));
  }

  private Problem refusal(String policy, int quota, Duration window, double seconds) {
    metrics.counter("cairn.limited", "limit", policy).increment();
    return Problem.of(
            ErrorCode.RATE_LIMITED,
            "At most %d requests in %d seconds (limit `%s`)."
                .formatted(quota, window.toSeconds(), policy))
        .with("retryAfter", Math.max(1, (long) Math.ceil(seconds)));
  }
}
