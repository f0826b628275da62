package dev.cairn.oauth;

import dev.cairn.access.PasswordChange;
import dev.cairn.platform.Database;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.UUID;

/** Who is signed in on the pages. Each sign-in is a new session with a new secret. */
@ApplicationScoped
class Sessions {
  static final Duration LIFETIME = Duration.ofHours(12);

  private final Database database;

  /**
   * Somebody who is signed in.
   *
   * @param secret what the cookie holds
   */
  record Session(String secret, UUID accountId, String name, String email) {}

  Sessions(Database database) {
    this.database = database;
  }

  /** Begins a session; answers what its cookie holds. */
  String begin(UUID accountId, Instant now) {
    var secret = Secret.COOKIE.next();
    database.update(
        "insert into browser_session (hash, account_id, created_at, expires_at) values (?, ?, ?, ?)",
        Secret.hash(secret),
        accountId,
        now,
        now.plus(LIFETIME));
    return secret;
  }

  /** Who is signed in with a browser. */
  Optional<Session> of(Browser browser) {
    return browser.cookie(Browser.SESSION).flatMap(secret -> find(secret, Instant.now()));
  }

  private Optional<Session> find(String secret, Instant now) {
    return database.first(
        """
        select a.id, a.display_name, a.email
        from browser_session s join account a on a.id = s.account_id
        where s.hash = ? and s.expires_at > ?
        """,
        row ->
            new Session(secret, row.getObject(1, UUID.class), row.getString(2), row.getString(3)),
        Secret.hash(secret),
        now);
  }

  /** Ends a session. */
  void end(String secret) {
    database.update("delete from browser_session where hash = ?", Secret.hash(secret));
  }

  /** Ends all sessions of an account, since its password is another one now. */
  void end(@Observes PasswordChange.Changed changed) {
    database.update("delete from browser_session where account_id = ?", changed.accountId());
  }
}
