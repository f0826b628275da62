package dev.cairn.oauth;

import dev.cairn.access.Caller;
import dev.cairn.access.LookUpLimit;
import dev.cairn.access.session.Session.Ending;
import dev.cairn.access.session.Sessions;
import dev.cairn.platform.database.Database;
import jakarta.enterprise.context.ApplicationScoped;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.UUID;

/** Sessions in a browser. Each sign-in begins a new session with a new secret. */
@ApplicationScoped
class BrowserSessions {
  static final Duration LIFETIME = Duration.ofHours(12);

  private final Database database;
  private final Sessions sessions;
  private final LookUpLimit limit;

  /**
   * A person who is signed in.
   *
   * @param secret the value of the cookie
   */
  record BrowserSession(String secret, UUID accountId, String name, String email) {}

  BrowserSessions(Database database, Sessions sessions, LookUpLimit limit) {
    this.database = database;
    this.sessions = sessions;
    this.limit = limit;
  }

  /** Begins a session; returns the value of its cookie. */
  String begin(UUID accountId, String address, Instant now) {
    var secret = Secret.COOKIE.next();
    sessions.beginInBrowser(accountId, Secret.hash(secret), LIFETIME, address, now);
    return secret;
  }

  /** The person who is signed in with a browser. Anybody may send a cookie. */
  Optional<BrowserSession> of(Browser browser) {
    var nobody = new Caller.Anonymous(browser.address());
    return browser
        .cookie(Browser.SESSION)
        .flatMap(secret -> limit.lookUp(nobody, () -> find(secret, Instant.now())));
  }

  private Optional<BrowserSession> find(String secret, Instant now) {
    return database.first(
        """
        select a.id, a.display_name, a.email
        from session s join account a on a.id = s.account_id
        where s.cookie_hash = ? and s.expires_at > ?
        """,
        row ->
            new BrowserSession(
                secret, row.getObject(1, UUID.class), row.getString(2), row.getString(3)),
        Secret.hash(secret),
        now);
  }

  /**
   * Prevents the end of a session until the surrounding transaction ends; false if it has ended.
   * Must be called before anything that lets others begin sessions.
   */
  boolean tryHold(BrowserSession session) {
    return sessions.tryHoldInBrowser(session.accountId(), Secret.hash(session.secret()));
  }

  /** Ends the session of a browser, if it has one. */
  void end(Browser browser, Ending ending) {
    browser
        .cookie(Browser.SESSION)
        .ifPresent(secret -> sessions.endByCookie(Secret.hash(secret), ending, browser.address()));
  }
}
