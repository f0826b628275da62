package dev.cairn.access.authentication;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import dev.cairn.model.ErrorCode;
import dev.cairn.model.Problem;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/**
 * Limits how many threads verify tokens of an external issuer, each of which may have to wait for
 * the issuer's key set: anybody can send a token with a made-up key. Tokens whose header no valid
 * token has had yet have few threads of their own, so they delay neither tokens with known headers
 * nor other credentials. See {@code docs/access.md}, External issuer.
 */
final class KeySetLimiter {
  /** The maximum of verifications for headers that no valid token has had; fewer of few threads. */
  static final int MAX_NEW = 3;

  /** For a place: a verification without a wait for the key set takes about a millisecond. */
  private static final Duration MAX_WAIT = Duration.ofMillis(250);

  private static final int MAX_HEADERS = 100;
  private static final int MAX_HEADER_LENGTH = 1_000;

  private final Semaphore ofNew;
  private final Semaphore ofKnown;

  /** When the last valid token with a header was verified, in nanoseconds. */
  private final Cache<String, Long> headers =
      Caffeine.newBuilder().maximumSize(MAX_HEADERS).build();

  /**
   * Limits verifications for new and for known headers.
   *
   * @param threads how many threads verify credentials: some stay free, unless there are fewer than
   *     three. Known headers wait only while the key set is renewed, once an hour
   */
  KeySetLimiter(int threads) {
    this.ofNew = new Semaphore(Math.clamp(threads / MAX_NEW, 1, MAX_NEW));
    this.ofKnown = new Semaphore(Math.max(1, threads / 2));
  }

  /**
   * Verifies a token.
   *
   * @param verification empty if the token is not valid
   * @throws Problem {@code UNAVAILABLE} if too many verifications are under way
   */
  <T> Optional<T> call(String token, Supplier<Optional<T>> verification) {
    var header = token.substring(0, Math.max(0, token.indexOf('.')));
    var threads = headers.getIfPresent(header) == null ? ofNew : ofKnown;
    if (!acquired(threads)) {
      throw Problem.of(
          ErrorCode.UNAVAILABLE,
          "Too many tokens are being verified at this moment, or the issuer's key set takes long;"
              + " try again.");
    }
    long began = System.nanoTime();
    try {
      var verified = verification.get();
      if (verified.isPresent() && header.length() <= MAX_HEADER_LENGTH) {
        headers.put(header, System.nanoTime());
      } else if (System.nanoTime() - began > MAX_WAIT.toNanos()) {
        // The key set had to be fetched: the issuer may no longer have that key.
        headers
            .asMap()
            .computeIfPresent(header, (_, validAt) -> validAt - began > 0 ? validAt : null);
      }
      return verified;
    } finally {
      threads.release();
    }
  }

  private static boolean acquired(Semaphore threads) {
    try {
      return threads.tryAcquire(MAX_WAIT.toNanos(), TimeUnit.NANOSECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }
}
