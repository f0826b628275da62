package dev.cairn.access.authentication;

import dev.cairn.access.session.Session;
import dev.cairn.platform.Configs;
import dev.cairn.platform.Ids;
import dev.cairn.platform.database.OwnConnections;
import java.time.Instant;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import org.springframework.security.crypto.argon2.Argon2PasswordEncoder;

/**
 * Accounts as they are stored, for the tests: a sign-up would make an organization with each, and
 * may be closed.
 */
public final class AccountRows {
  /**
   * As fast as Argon2id can be, since each sign-in repeats what is said in the hash. That the
   * service makes slow ones is for {@code PasswordHashingTest}.
   */
  private static final Argon2PasswordEncoder PASSWORDS = new Argon2PasswordEncoder(16, 32, 1, 8, 1);

  /** One for all accounts of a password, and most have the same one. */
  private static final ConcurrentMap<String, String> HASHES = new ConcurrentHashMap<>();

  private AccountRows() {}

  /** Makes an account; answers its id. */
  public static UUID insert(String email, String displayName, String password) {
    var id = Ids.next();
    OwnConnections.database()
        .update(
            """
            insert into account (id, email, display_name, password_hash, created_at)
            values (?, ?, ?, ?, now())
            """,
            id,
            email,
            displayName,
            HASHES.computeIfAbsent(password, PASSWORDS::encode));
    return id;
  }

  /** Deletes what has expired, as the hourly chore does. */
  public static void expire() {
    new Expiry(OwnConnections.database(), Configs.of(Map.of())).runBatch();
  }

  /** Begins a session of an account, as it is stored; answers its id. */
  public static UUID session(UUID accountId) {
    var id = Ids.next();
    OwnConnections.database()
        .update(
            """
            insert into session (id, account_id, client_id, address, created_at, renewed_at, expires_at)
            values (?, ?, 'sign-in', '192.0.2.1', now(), now(), now() + interval '1 day')
            """,
            id,
            accountId);
    return id;
  }

  /** An access token of a new session of an account, for and by the service at {@code issuer}. */
  static String accessToken(AccessTokens tokens, Account account, String issuer, Instant at) {
    var purpose = new AccessTokens.Purpose(issuer, Session.SIGN_IN, null);
    return tokens.issue(account, session(account.id), issuer, purpose, at);
  }

  /** How many rows of a table belong to an account. */
  public static long count(String table, UUID accountId) {
    return OwnConnections.database()
        .first(
            "select count(*) from " + table + " where account_id = ?",
            row -> row.getLong(1),
            accountId)
        .orElseThrow();
  }

  /** The id of the account of an address. */
  public static UUID id(String email) {
    return OwnConnections.database()
        .first("select id from account where email = ?", row -> row.getObject(1, UUID.class), email)
        .orElseThrow();
  }
}
