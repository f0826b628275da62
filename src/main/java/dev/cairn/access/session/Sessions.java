package dev.cairn.access.session;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.cairn.access.Caller;
import dev.cairn.access.LiveSession;
import dev.cairn.access.Recheck;
import dev.cairn.access.audit.AccountAudit;
import dev.cairn.access.limit.CredentialLimiter;
import dev.cairn.access.limit.RateLimiter;
import dev.cairn.access.limit.ReadBounds;
import dev.cairn.access.session.Session.Ending;
import dev.cairn.model.Problem;
import dev.cairn.platform.CairnConfig;
import dev.cairn.platform.database.Database;
import dev.cairn.platform.database.Rows;
import dev.cairn.platform.page.Cursors;
import dev.cairn.platform.page.Page;
import io.quarkus.runtime.annotations.RegisterForReflection;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Event;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;

/**
 * Sessions, each of which is a row while it lasts. Ending a session deletes its row, and so ends
 * every token that names it: each request checks for the row, so the tokens are refused from the
 * next request on, on every replica. See {@code docs/access.md}, Sessions.
 */
@ApplicationScoped
public class Sessions {
  private static final Duration HOUR = Duration.ofHours(1);

  /** The renewal limit of all sessions of an account, as a multiple of the limit of one session. */
  public static final int RENEWALS_OF_ACCOUNT = 5;

  private final Database database;
  private final ReadBounds bounds;
  private final Cursors cursors;
  private final AccountAudit audit;
  private final RateLimiter limiter;
  private final CredentialLimiter credentialLimiter;
  private final int perHour;
  private final Event<EndedByAccount> endedByAccount;

  /**
   * Fired in the transaction in which an account ends sessions. Observers revoke whatever could
   * still be exchanged for another session, such as an authorization code.
   */
  public record EndedByAccount(UUID accountId) {}

  /**
   * A session as its account sees it.
   *
   * @param kind {@code sign-in}, {@code browser} or {@code grant}
   * @param client the OAuth client's id; null unless it is a grant
   * @param clientName what the client calls itself; null if nothing is known of it
   * @param scope names of permissions separated by spaces; null for all permissions of the account
   * @param address the network address from which it was begun
   * @param renewedAt when its tokens were last renewed
   * @param current true for the caller's own session, otherwise null
   */
  @RegisterForReflection
  @JsonInclude(JsonInclude.Include.NON_NULL)
  public record SessionView(
      UUID id,
      String kind,
      String client,
      String clientName,
      String scope,
      String address,
      Instant createdAt,
      Instant renewedAt,
      Instant expiresAt,
      Boolean current) {}

  Sessions(
      Database database,
      ReadBounds bounds,
      Cursors cursors,
      AccountAudit audit,
      RateLimiter limiter,
      CredentialLimiter credentialLimiter,
      CairnConfig config,
      Event<EndedByAccount> endedByAccount) {
    this.database = database;
    this.bounds = bounds;
    this.cursors = cursors;
    this.audit = audit;
    this.limiter = limiter;
    this.credentialLimiter = credentialLimiter;
    this.perHour = config.limits().sessionsPerHour();
    this.endedByAccount = endedByAccount;
  }

  /** Whether the session of a caller is live; true for a caller without one. */
  public boolean isLive(Caller caller) {
    var id = caller.sessionIdOrNull();
    return id == null
        || database
            .first("select " + LiveSession.CONDITION, row -> row.getBoolean(1), id, id)
            .orElseThrow();
  }

  /**
   * Refuses a caller whose token has expired or whose session has ended, and prevents the end of
   * the session until the surrounding transaction ends: so whatever the transaction creates was
   * created by a live session.
   */
  public void holdLive(Caller caller) {
    if (caller instanceof Caller.SignedIn account) {
      Recheck.requireUnexpired(account);
    }
    var id = caller.sessionIdOrNull();
    if (id != null
        && database
            .first(
                "select from session where id = ? and expires_at > now() for share", _ -> true, id)
            .isEmpty()) {
      throw LiveSession.ended();
    }
  }

  /**
   * Prevents the end of the sessions of an account, and a change of its password, until the
   * surrounding transaction ends. Code that begins a session, or lets others begin one, must call
   * this first: so it runs either before such an end, which then includes the new session, or after
   * it.
   */
  private void hold(UUID accountId) {
    database.first("select from account where id = ? for share", _ -> true, accountId);
  }

  /** Holds an account if its password still has this hash; otherwise false. */
  public boolean hold(UUID accountId, String passwordHash) {
    return database
        .first(
            "select from account where id = ? and password_hash = ? for share",
            _ -> true,
            accountId,
            passwordHash)
        .isPresent();
  }

  /**
   * Holds an account and its session in a browser until the surrounding transaction ends; false if
   * that session has ended.
   *
   * @param cookieHash SHA-256 of what the cookie holds
   */
  public boolean tryHoldInBrowser(UUID accountId, byte[] cookieHash) {
    hold(accountId);
    return database
        .first(
            """
            select from session where account_id = ? and cookie_hash = ? and expires_at > now()
            for share
            """,
            _ -> true,
            accountId,
            cookieHash)
        .isPresent();
  }

  /**
   * Waits until nobody holds the caller's account, and keeps others from holding it until the
   * surrounding transaction ends; refuses a caller whose session has ended meanwhile.
   */
  public void lockAccount(Caller.SignedIn caller) {
    database.first(
        "select from account where id = ? for no key update", _ -> true, caller.accountId());
    holdLive(caller);
  }

  /**
   * Begins a session in a browser.
   *
   * @param cookieHash SHA-256 of what the cookie holds
   * @throws Problem {@code RATE_LIMITED} if the account has begun too many
   */
  public void beginInBrowser(
      UUID accountId, byte[] cookieHash, Duration lifetime, String address, Instant now) {
    database.transaction(
        () -> {
          insert(Session.browser(accountId), cookieHash, address, now, now.plus(lifetime));
          return true;
        });
  }

  void insert(Session session, byte[] cookieHash, String address, Instant now, Instant expiresAt) {
    limiter.take("sessions", "account:" + session.accountId(), perHour, HOUR);
    hold(session.accountId());
    database.update(
        """
        insert into session (id, account_id, client_id, scope, resource, cookie_hash, address,
                             created_at, renewed_at, expires_at)
        values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
        """,
        session.id(),
        session.accountId(),
        session.clientId(),
        session.scope(),
        session.resource(),
        cookieHash,
        address,
        now,
        now,
        expiresAt);
    audit.record(
        session.accountId(),
        "session.started",
        session.label(),
        address,
        Map.of("session", session.id().toString(), "kind", session.kind()));
  }

  /**
   * Counts a renewal of a session's tokens.
   *
   * @throws Problem {@code RATE_LIMITED} if there were too many, of the session or of all sessions
   *     of its account together
   */
  public void countRenewal(Session session) {
    limiter.take("renewals", "session:" + session.id(), perHour, HOUR);
    limiter.take(
        "renewals of an account",
        "account:" + session.accountId(),
        RENEWALS_OF_ACCOUNT * perHour,
        HOUR);
  }

  /** Ends a session; false if there is none. */
  public boolean end(UUID id, Ending ending, String address) {
    return endWhere("id", id, ending, address);
  }

  /** Ends the session of a browser, if it has one. */
  public void endByCookie(byte[] cookieHash, Ending ending, String address) {
    var _ = endWhere("cookie_hash", cookieHash, ending, address);
  }

  private boolean endWhere(String column, Object value, Ending ending, String address) {
    return database.transaction(
        () -> {
          var session =
              database.first(
                  """
                  delete from session where %s = ?
                  returning id, account_id, client_id, scope, resource
                  """
                      .formatted(column),
                  Sessions::read,
                  value);
          session.ifPresent(ended -> recordEnd(ended, ending, address));
          return session.isPresent();
        });
  }

  private void recordEnd(Session session, Ending ending, String address) {
    audit.record(
        session.accountId(),
        "session.ended",
        session.label(),
        address,
        Map.of("session", session.id().toString(), "reason", ending.wire()));
  }

  /** Ends a session of the caller's account; {@code NOT_FOUND} if it has none with that id. */
  public void endOwn(Caller.SignedIn caller, UUID id) {
    credentialLimiter.ofAccount(
        caller.accountId(),
        () -> {
          lockAccount(caller);
          var own = "select from session where id = ? and account_id = ?";
          if (database.first(own, _ -> true, id, caller.accountId()).isEmpty()) {
            throw Problem.notFound("You have no session `" + id + "`.");
          }
          end(id, Ending.ENDED_BY_ACCOUNT, caller.address());
          endedByAccount.fire(new EndedByAccount(caller.accountId()));
          return true;
        });
  }

  /** Ends all sessions of the caller's account except the caller's own; answers how many. */
  public int endOthers(Caller.SignedIn caller) {
    return credentialLimiter.ofAccount(
        caller.accountId(),
        () -> {
          lockAccount(caller);
          return endOthersOfLocked(caller);
        });
  }

  /** The same in a transaction that has locked the account. */
  public int endOthersOfLocked(Caller.SignedIn caller) {
    int ended =
        database.update(
            "delete from session where account_id = ? and id is distinct from ?::uuid",
            caller.accountId(),
            caller.sessionIdOrNull());
    endedByAccount.fire(new EndedByAccount(caller.accountId()));
    if (ended > 0) {
      audit.record(
          caller.accountId(),
          "session.ended",
          "all other sessions",
          caller.address(),
          Map.of("sessions", Integer.toString(ended), "reason", Ending.ENDED_BY_ACCOUNT.wire()));
    }
    return ended;
  }

  /** The live sessions of the caller's account, newest first. */
  public Page<SessionView> list(Caller.SignedIn caller, int limit, Optional<String> cursor) {
    return Page.newestFirst(
        cursors,
        "sessions " + caller.accountId(),
        limit,
        cursor,
        (before, count) ->
            bounds.within(
                caller,
                () ->
                    database.list(
                        """
                        select s.id, s.account_id, s.client_id, s.scope, s.resource, s.address,
                               s.created_at, s.renewed_at, s.expires_at,
                               s.id = ?::uuid as is_current, c.name as client_name
                        from session s left join oauth_client c on c.id = s.client_id
                        where s.account_id = ? and s.expires_at > now() and s.id < ?
                        order by s.id desc limit ?
                        """,
                        Sessions::view,
                        caller.sessionIdOrNull(),
                        caller.accountId(),
                        before,
                        count)),
        SessionView::id);
  }

  private static SessionView view(ResultSet row) throws SQLException {
    var session = read(row);
    return new SessionView(
        session.id(),
        session.kind(),
        session.isGrant() ? session.clientId() : null,
        row.getString("client_name"),
        session.scope(),
        row.getString("address"),
        Rows.instant(row, "created_at"),
        Rows.instant(row, "renewed_at"),
        Rows.instant(row, "expires_at"),
        row.getBoolean("is_current") ? true : null);
  }

  /** Reads a session from the columns id, account_id, client_id, scope and resource. */
  static Session read(ResultSet row) throws SQLException {
    return new Session(
        row.getObject("id", UUID.class),
        row.getObject("account_id", UUID.class),
        row.getString("client_id"),
        row.getString("scope"),
        row.getString("resource"));
  }
}
