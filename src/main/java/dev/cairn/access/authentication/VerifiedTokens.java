package dev.cairn.access.authentication;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import dev.cairn.model.Sha256;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.eclipse.microprofile.jwt.JsonWebToken;

/**
 * A cache of verified access tokens: verifying an ECDSA signature takes several times as long as
 * everything else that a small read needs. A token is trusted for half a minute after it was
 * verified, but not beyond its expiry; it is identified by its SHA-256. Its session is not cached,
 * since it may end at any moment. See {@code docs/access.md}, Sign-in.
 */
final class VerifiedTokens {
  /** How long a token is trusted. */
  static final Duration MAX_TRUST_AGE = Duration.ofSeconds(30);

  /** The maximum size of the cache, estimated from the length of each token. */
  static final int MAX_BYTES = 16 * 1024 * 1024;

  private static final int BYTES_OF_ENTRY = 1_500;

  /** Of the text, its claims, and the claims as objects: an estimate. */
  private static final int BYTES_OF_CHARACTER = 5;

  private final Cache<ByteBuffer, Verified> verified =
      Caffeine.newBuilder()
          .maximumWeight(MAX_BYTES)
          .weigher((ByteBuffer _, Verified token) -> token.bytes())
          // Entries are evicted at once, not some time later.
          .executor(Runnable::run)
          .build();

  private record Verified(JsonWebToken claims, Instant until, int bytes) {}

  /** The claims of a token that was verified within the last half minute. */
  Optional<JsonWebToken> known(String token, Instant now) {
    return Optional.ofNullable(verified.getIfPresent(key(token)))
        .filter(known -> now.isBefore(known.until()))
        .map(Verified::claims);
  }

  /** Caches a token whose signature and claims were verified. */
  void keep(String token, JsonWebToken claims, Instant now) {
    int bytes = BYTES_OF_ENTRY + BYTES_OF_CHARACTER * token.length();
    verified.put(key(token), new Verified(claims, until(claims, now), bytes));
  }

  private static ByteBuffer key(String token) {
    return ByteBuffer.wrap(Sha256.of(token));
  }

  /** Not beyond the expiry: then the parser decides. */
  private static Instant until(JsonWebToken claims, Instant now) {
    var end = Instant.ofEpochSecond(claims.getExpirationTime());
    var trusted = now.plus(MAX_TRUST_AGE);
    return end.isBefore(trusted) ? end : trusted;
  }
}
