package dev.cairn.access.session;

import dev.cairn.access.session.Session.Ending;
import dev.cairn.model.Problem;
import dev.cairn.model.Sha256;
import dev.cairn.platform.Base64Url;
import dev.cairn.platform.database.Database;
import jakarta.enterprise.context.ApplicationScoped;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * Refresh tokens: opaque, stored as hashes, usable once. Each use creates the next token of the
 * session; a second use of a token means that it was copied, and ends the session. All operations
 * lock the session's row first, so that no token is issued for a session that is being ended.
 */
@ApplicationScoped
public class RefreshTokens {
  private static final Duration LIFETIME = Duration.ofDays(30);
  private static final int RANDOM_BYTES = 32;

  /** The prefix by which secret scanners recognize a token that was published by mistake. */
  private static final String PREFIX = "cairn_refresh_";

  private final Database database;
  private final Sessions sessions;
  private final SecureRandom random = new SecureRandom();

  /** A session that was renewed, and its next refresh token. */
  public record Renewed(Session session, String refreshToken) {}

  RefreshTokens(Database database, Sessions sessions) {
    this.database = database;
    this.sessions = sessions;
  }

  /**
   * Begins a session; answers its first refresh token.
   *
   * @param address the network address of the caller
   * @throws Problem {@code RATE_LIMITED} if the account has begun too many
   */
  public String begin(Session session, String address, Instant now) {
    return database.transaction(
        () -> {
          sessions.insert(session, null, address, now, now.plus(LIFETIME));
          return issue(session, now);
        });
  }

  /**
   * Uses a token; empty if it is not valid, or no longer valid. The transaction must then not be
   * rolled back, because the second use of a token ends its session.
   *
   * @param clientId the client that sends it
   * @throws Problem {@code RATE_LIMITED} if the session is renewed too often; the token stays valid
   */
  public Optional<Renewed> renew(String token, String clientId, String address, Instant now) {
    return database.transaction(
        () -> locked(token, clientId).flatMap(session -> use(session, token, address, now)));
  }

  private Optional<Renewed> use(Session session, String token, String address, Instant now) {
    var hash = Sha256.of(token);
    // Asked once the session's row is locked: another request may have used it meanwhile.
    var used =
        database.first(
            "select used_at is not null from refresh_token where hash = ? and expires_at > ?",
            row -> row.getBoolean(1),
            hash,
            now);
    if (used.isEmpty()) {
      return Optional.empty();
    }
    if (used.get()) {
      sessions.end(session.id(), Ending.REFRESH_TOKEN_REUSED, address);
      return Optional.empty();
    }
    sessions.countRenewal(session);
    database.update("update refresh_token set used_at = ? where hash = ?", now, hash);
    database.update(
        "update session set renewed_at = ?, expires_at = ? where id = ?",
        now,
        now.plus(LIFETIME),
        session.id());
    return Optional.of(new Renewed(session, issue(session, now)));
  }

  /** Ends the session of a token, if it has one, also if the token was used before. */
  public void end(String token, String clientId, Ending ending, String address) {
    database.transaction(
        () -> {
          locked(token, clientId).ifPresent(session -> sessions.end(session.id(), ending, address));
          return true;
        });
  }

  /** The session of a token, whose row is locked until the transaction ends. */
  private Optional<Session> locked(String token, String clientId) {
    return database.first(
        """
        select s.id, s.account_id, s.client_id, s.scope, s.resource
        from refresh_token t join session s on s.id = t.session_id
        where t.hash = ? and s.client_id = ? and s.expires_at > now()
        for update of s
        """,
        Sessions::read,
        Sha256.of(token),
        clientId);
  }

  private String issue(Session session, Instant now) {
    var bytes = new byte[RANDOM_BYTES];
    random.nextBytes(bytes);
    var token = PREFIX + Base64Url.encode(bytes);
    database.update(
        "insert into refresh_token (hash, session_id, expires_at) values (?, ?, ?)",
        Sha256.of(token),
        session.id(),
        now.plus(LIFETIME));
    return token;
  }
}
