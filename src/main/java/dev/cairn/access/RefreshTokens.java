package dev.cairn.access;

import dev.cairn.model.ErrorCode;
import dev.cairn.model.Problem;
import dev.cairn.model.Sha256;
import dev.cairn.platform.Database;
import dev.cairn.platform.Ids;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.Optional;
import java.util.UUID;

/**
 * Refresh tokens: opaque, stored as hashes, good once. Each use makes the next one of its family;
 * the second use of one means that it was stolen, and ends the family.
 */
@ApplicationScoped
class RefreshTokens {
  private static final Duration LIFETIME = Duration.ofDays(30);
  private static final int BYTES = 32;

  /** By which one is known where it was put by mistake. */
  private static final String PREFIX = "cairn_refresh_";

  private final Database database;
  private final SecureRandom random = new SecureRandom();

  private record Stored(UUID accountId, UUID family, boolean used, Instant expiresAt) {}

  /** A token that was used, and the one that takes its place. */
  record Renewed(UUID accountId, String next) {}

  RefreshTokens(Database database) {
    this.database = database;
  }

  /** A token that begins a family: one sign-in. */
  String issue(UUID accountId, Instant now) {
    return issue(accountId, Ids.next(), now);
  }

  /** Uses a token up; {@code UNAUTHENTICATED} where it is not good any more. */
  Renewed renew(String token, Instant now) {
    return database
        .transaction(() -> use(token, now))
        .orElseThrow(
            () ->
                Problem.of(
                    ErrorCode.UNAUTHENTICATED,
                    "The refresh token is not valid: expired, used before, or wrong."));
  }

  private Optional<Renewed> use(String token, Instant now) {
    var hash = Sha256.of(token);
    // Where a family is being ended, no token of it may be on its way to be stored.
    family(hash).ifPresent(this::lock);
    var stored =
        database.first(
            """
            select account_id, family, used_at is not null, expires_at
            from refresh_token where hash = ? for update
            """,
            row ->
                new Stored(
                    row.getObject(1, UUID.class),
                    row.getObject(2, UUID.class),
                    row.getBoolean(3),
                    row.getTimestamp(4).toInstant()),
            hash);
    if (stored.isEmpty() || stored.get().expiresAt().isBefore(now)) {
      return Optional.empty();
    }
    var found = stored.get();
    if (found.used()) {
      delete(found.family());
      return Optional.empty();
    }
    database.update("update refresh_token set used_at = ? where hash = ?", now, hash);
    return Optional.of(
        new Renewed(found.accountId(), issue(found.accountId(), found.family(), now)));
  }

  /** Ends the family of a token, if it is one; also where it was used before. */
  void end(String token) {
    database.transaction(
        () -> {
          family(Sha256.of(token)).ifPresent(this::end);
          return true;
        });
  }

  /** Ends all families of an account, those too that are renewed at this moment. */
  void end(@Observes PasswordChange.Changed changed) {
    database
        .list(
            "select distinct family from refresh_token where account_id = ? order by family",
            row -> row.getObject(1, UUID.class),
            changed.accountId())
        .forEach(this::end);
  }

  private Optional<UUID> family(byte[] hash) {
    return database.first(
        "select family from refresh_token where hash = ?",
        row -> row.getObject(1, UUID.class),
        hash);
  }

  private void end(UUID family) {
    lock(family);
    delete(family);
  }

  private void lock(UUID family) {
    database.lockName("refresh tokens " + family);
  }

  private void delete(UUID family) {
    database.update("delete from refresh_token where family = ?", family);
  }

  private String issue(UUID accountId, UUID family, Instant now) {
    var bytes = new byte[BYTES];
    random.nextBytes(bytes);
    var token = PREFIX + Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
    database.update(
        """
        insert into refresh_token (hash, account_id, family, expires_at, created_at)
        values (?, ?, ?, ?, ?)
        """,
        Sha256.of(token),
        accountId,
        family,
        now.plus(LIFETIME),
        now);
    return token;
  }
}
