package dev.cairn.access.limit;

import dev.cairn.model.ErrorCode;
import dev.cairn.model.Problem;
import dev.cairn.model.Sha256;
import dev.cairn.platform.CairnConfig;
import dev.cairn.platform.database.Database;
import dev.cairn.platform.http.NetworkAddress;
import dev.cairn.platform.limiter.KeyedLimiter;
import io.micrometer.core.instrument.MeterRegistry;
import io.quarkus.arc.Arc;
import io.quarkus.vertx.http.runtime.CurrentVertxRequest;
import jakarta.enterprise.context.ApplicationScoped;
import java.time.Duration;
import java.util.HexFormat;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Token buckets in the database, the same for all replicas. A bucket holds {@code quota} tokens and
 * refills evenly over the window, at most an hour. One that is full again is deleted.
 */
@ApplicationScoped
public class RateLimiter {
  // If the bucket holds too few tokens, no row is returned, and nothing is written. It is read
  // first:
  // the conflict alone would lock the row, and wait for a flush of the WAL, only to refuse.
  private static final String TAKE =
      """
      insert into rate_limit as b (bucket, tokens, updated_at)
      select ?, ?::double precision - ?::double precision, clock_timestamp()
      where not exists (
        select from rate_limit r
        where r.bucket = ? and least(?::double precision,
            r.tokens + greatest(0, extract(epoch from clock_timestamp() - r.updated_at))
              * ?::double precision) < ?::double precision)
      on conflict (bucket) do update set
        tokens = least(?::double precision,
            b.tokens + greatest(0, extract(epoch from excluded.updated_at - b.updated_at))
              * ?::double precision) - ?::double precision,
        updated_at = greatest(b.updated_at, excluded.updated_at)
      where least(?::double precision,
            b.tokens + greatest(0, extract(epoch from excluded.updated_at - b.updated_at))
              * ?::double precision) >= ?::double precision
      returning tokens
      """;

  private static final String LEVEL =
      """
      select least(?::double precision,
          tokens + greatest(0, extract(epoch from clock_timestamp() - updated_at))
            * ?::double precision)
      from rate_limit where bucket = ?
      """;

  private static final int MAX_OF_BUCKET = 2;

  /** How many requests may take from one bucket, or wait for it, at a time. */
  static final int MAX_WAITING = 256;

  /** The denominator of the part of the connections to the database. */
  private static final int POOL_FRACTION = 4;

  /** The prefix of the keys of network addresses. */
  private static final String ADDRESS = "address:";

  /** Whether tokens were taken, and what the bucket holds then. */
  private record Attempt(boolean isTaken, double level) {}

  private final Database database;
  private final CurrentVertxRequest request;
  private final MeterRegistry metrics;

  /**
   * Limits the requests that take from one bucket, because they lock its row. Buckets of network
   * addresses have a limiter of their own: a flood from many addresses does not delay accounts.
   */
  private final KeyedLimiter<String> ofAddresses;

  private final KeyedLimiter<String> ofAccounts;

  RateLimiter(
      Database database, CurrentVertxRequest request, CairnConfig config, MeterRegistry metrics) {
    this.database = database;
    int connections = KeyedLimiter.part(config, POOL_FRACTION);
    this.ofAddresses = new KeyedLimiter<>(MAX_OF_BUCKET, MAX_WAITING, connections);
    this.ofAccounts = new KeyedLimiter<>(MAX_OF_BUCKET, MAX_WAITING, connections);
    this.metrics = metrics;
    this.request = request;
  }

  /**
   * Takes a token. The answer to the request at hand tells of the limit in {@code RateLimit} and
   * {@code RateLimit-Policy}, whether or not there was a token.
   *
   * @param policy the name of the limit, which the caller is told
   * @param key whose requests are counted; stored as a hash, since it may contain what a caller
   *     sent, even a password
   * @param quota tokens a window; 0 switches the limit off
   * @throws Problem {@link ErrorCode#RATE_LIMITED} if the bucket holds no token
   */
  public void take(String policy, String key, int quota, Duration window) {
    take(policy, key, 1, quota, window);
  }

  private void take(String policy, String key, int tokens, int quota, Duration window) {
    refuse(policy, quota, window, tryTake(policy, key, tokens, quota, window, true));
  }

  /**
   * Takes tokens, or returns how long to wait for them. More tokens than the bucket can hold are
   * taken if it is full: its level is then negative, and it refuses all requests until it is
   * refilled. No headers tell of the limit.
   *
   * @param policy as in {@link #take}, like {@code key} and {@code quota}
   * @param tokens how many to take, at least 1
   * @return empty if they were taken; otherwise nothing was
   * @throws Problem {@code UNAVAILABLE} if too many requests take from the bucket at this moment;
   *     not in a transaction, which does not wait for its turn
   */
  public Optional<Duration> tryTake(
      String policy, String key, long tokens, long quota, Duration window) {
    return tryTake(policy, key, tokens, quota, window, false);
  }

  private Optional<Duration> tryTake(
      String policy, String key, long tokens, long quota, Duration window, boolean sendsHeaders) {
    if (quota == 0) {
      return Optional.empty();
    }
    var bucket = bucket(policy, key);
    Supplier<Attempt> attempt =
        () ->
            taken(bucket, tokens, quota, window)
                .map(left -> new Attempt(true, left))
                .orElseGet(() -> new Attempt(false, level(policy, key, quota, window)));
    var result =
        database.isInTransaction()
            ? attempt.get()
            : (key.startsWith(ADDRESS) ? ofAddresses : ofAccounts)
                .call(bucket, attempt, RateLimiter::busy);
    if (sendsHeaders) {
      tell(policy, quota, window, result.level());
    }
    return result.isTaken()
        ? Optional.empty()
        : Optional.of(refused(policy, until(tokens, result.level(), quota, window)));
  }

  private Optional<Double> taken(String bucket, long tokens, long quota, Duration window) {
    double perSecond = perSecond(quota, window);
    long needed = Math.min(quota, tokens);
    return database.first(
        TAKE,
        row -> row.getDouble(1),
        bucket,
        quota,
        tokens,
        bucket,
        quota,
        perSecond,
        needed,
        quota,
        perSecond,
        tokens,
        quota,
        perSecond,
        needed);
  }

  private static Problem busy() {
    return Problem.of(
        ErrorCode.UNAVAILABLE,
        "Too many requests of one account or network address at this moment; try again.");
  }

  /**
   * Returns how long to wait for tokens, like {@link #tryTake}, but takes none.
   *
   * @return empty if there are enough tokens
   */
  Optional<Duration> untilFree(
      String policy, String key, long tokens, long quota, Duration window) {
    if (quota == 0) {
      return Optional.empty();
    }
    double level = level(policy, key, quota, window);
    return level >= Math.min(quota, tokens)
        ? Optional.empty()
        : Optional.of(refused(policy, until(tokens, level, quota, window)));
  }

  /**
   * The same for callers without an account, by network address. IPv6 addresses count by their
   * first 64 bits, because one customer gets at least all addresses with these bits.
   *
   * @param address in its usual spelling
   */
  public void takeByAddress(String policy, String address, int quota, Duration window) {
    takeByAddress(policy, address, 1, quota, window);
  }

  /**
   * The same for several tokens, as {@link #tryTake} takes them.
   *
   * @param tokens how many, at least 1
   */
  void takeByAddress(String policy, String address, int tokens, int quota, Duration window) {
    take(policy, ADDRESS + NetworkAddress.network(address), tokens, quota, window);
  }

  /**
   * Refuses what {@link #take} would refuse, but takes no token.
   *
   * @throws Problem {@link ErrorCode#RATE_LIMITED} if the bucket holds no token
   */
  public void check(String policy, String key, int quota, Duration window) {
    refuse(policy, quota, window, untilFree(policy, key, 1, quota, window));
  }

  private double level(String policy, String key, long quota, Duration window) {
    return database
        .first(LEVEL, row -> row.getDouble(1), quota, perSecond(quota, window), bucket(policy, key))
        .orElse((double) quota);
  }

  private static double perSecond(long quota, Duration window) {
    return quota / (double) window.toSeconds();
  }

  private static Duration until(long tokens, double level, long quota, Duration window) {
    double seconds = (Math.min(quota, tokens) - level) / perSecond(quota, window);
    return Duration.ofSeconds(Math.max(1, (long) Math.ceil(seconds)));
  }

  private Duration refused(String policy, Duration wait) {
    metrics.counter("cairn.limited", "limit", policy).increment();
    return wait;
  }

  /**
   * Sets the headers of the IETF draft on rate limits; their time is until the bucket is full
   * again.
   *
   * @param level negative if the bucket owes tokens
   */
  private void tell(String policy, long quota, Duration window, double level) {
    if (!Arc.container().requestContext().isActive() || request.getCurrent() == null) {
      return;
    }
    long untilFull = (long) Math.ceil((quota - level) * window.toSeconds() / quota);
    request
        .getCurrent()
        .response()
        .headers()
        .add("RateLimit-Policy", "\"%s\";q=%d;w=%d".formatted(policy, quota, window.toSeconds()))
        .add(
            "RateLimit",
            "\"%s\";r=%d;t=%d".formatted(policy, (long) Math.max(0, level), untilFull));
  }

  private static String bucket(String policy, String key) {
    return policy + ":" + HexFormat.of().formatHex(Sha256.of(key));
  }

  private static void refuse(String policy, int quota, Duration window, Optional<Duration> wait) {
    if (wait.isPresent()) {
      throw Problem.of(
              ErrorCode.RATE_LIMITED,
              "At most %d requests in %d seconds (limit `%s`)."
                  .formatted(quota, window.toSeconds(), policy))
          .with("retryAfter", wait.get().toSeconds());
    }
  }
}
