package dev.cairn.oauth;

import com.nimbusds.oauth2.sdk.ErrorObject;
import com.nimbusds.oauth2.sdk.OAuth2Error;
import com.nimbusds.oauth2.sdk.device.DeviceAuthorizationGrantError;
import dev.cairn.access.limit.CredentialLimiter;
import dev.cairn.access.limit.Quotas.Quota;
import dev.cairn.access.session.Session;
import dev.cairn.access.session.Sessions;
import dev.cairn.platform.Ids;
import dev.cairn.platform.database.Database;
import dev.cairn.platform.database.Expired;
import dev.cairn.platform.database.Rows;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.UUID;

/**
 * The device authorization grant (RFC 8628): a device waits until a person types its code elsewhere
 * and decides.
 *
 * <pre>
 *   pending ──▶ approved ──▶ gone, with the tokens handed over
 *      └──────▶ denied
 * </pre>
 */
@ApplicationScoped
class Devices {
  static final Duration LIFETIME = Duration.ofMinutes(10);
  static final int INTERVAL_SECONDS = 5;

  /** How many user codes are tried until one is free. */
  private static final int MAX_ATTEMPTS = 5;

  /** Devices that no account has approved, including denied ones. */
  private static final Expired UNAPPROVED =
      new Expired("oauth_device", "expires_at", "account_id is null");

  private final Database database;
  private final CredentialLimiter credentialLimiter;
  private final BrowserSessions browserSessions;
  private final Consents consents;
  private final UnclaimedRows unclaimed;

  /** The codes that a device gets at the start. */
  record Started(String deviceCode, UserCode userCode) {}

  /** A device that waits for a decision. */
  record Waiting(String clientId, GrantScope grantScope) {}

  /** The answer to a device that polls: a session or a refusal. */
  record Answer(Session session, ErrorObject refusal) {
    static Answer no(ErrorObject refusal) {
      return new Answer(null, refusal);
    }
  }

  private record Stored(
      Waiting device,
      String status,
      UUID accountId,
      int interval,
      Instant polledAt,
      Instant expiresAt) {}

  Devices(
      Database database,
      CredentialLimiter credentialLimiter,
      BrowserSessions browserSessions,
      Consents consents,
      UnclaimedRows unclaimed) {
    this.database = database;
    this.credentialLimiter = credentialLimiter;
    this.browserSessions = browserSessions;
    this.consents = consents;
    this.unclaimed = unclaimed;
  }

  /** Adds a device that waits, unless too many wait. */
  Started start(String clientId, GrantScope grantScope, String address, Instant now) {
    var network = UnclaimedRows.network(address);
    unclaimed.makeRoom(Quota.PENDING_DEVICES, UNAPPROVED, now, network);
    for (int attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
      var started = new Started(Secret.DEVICE_CODE.next(), UserCode.next());
      if (insert(started, clientId, grantScope, network, now)) {
        return started;
      }
    }
    throw new IllegalStateException("no user code is free");
  }

  private boolean insert(
      Started started, String clientId, GrantScope grantScope, String network, Instant now) {
    int rows =
        database.update(
            """
            insert into oauth_device
              (hash, user_hash, client_id, scope, resource, network, status, interval_s, expires_at)
            values (?, ?, ?, ?, ?, ?, 'pending', ?, ?) on conflict (user_hash) do nothing
            """,
            Secret.hash(started.deviceCode()),
            hash(started.userCode()),
            clientId,
            grantScope.scope(),
            grantScope.resource(),
            network,
            INTERVAL_SECONDS,
            now.plus(LIFETIME));
    return rows == 1;
  }

  /** The device that shows this code, while it waits. */
  Optional<Waiting> waiting(UserCode code, Instant now) {
    return database.first(
        """
        select client_id, scope, resource from oauth_device
        where user_hash = ? and status = 'pending' and expires_at > ?
        """,
        Devices::waiting,
        hash(code),
        now);
  }

  /** Refuses the device that shows this code; false if it no longer waits. */
  boolean deny(UserCode code, Instant now) {
    return decide(code, null, now).isPresent();
  }

  /**
   * Lets the device that shows this code act for an account; false if it no longer waits, or the
   * session has ended.
   *
   * @param client the client of the device
   * @param address the network address of the person
   */
  boolean approve(
      UserCode code,
      BrowserSessions.BrowserSession session,
      Client client,
      String address,
      Instant now) {
    var accountId = session.accountId();
    return credentialLimiter.ofAccount(
        accountId,
        () -> {
          if (!browserSessions.tryHold(session)) {
            return false;
          }
          var device = decide(code, accountId, now);
          device.ifPresent(d -> consents.record(accountId, client, d.grantScope(), address));
          return device.isPresent();
        });
  }

  private Optional<Waiting> decide(UserCode code, UUID accountId, Instant now) {
    return database.first(
        """
        update oauth_device set status = ?, account_id = ?::uuid
        where user_hash = ? and status = 'pending' and expires_at > ?
        returning client_id, scope, resource
        """,
        Devices::waiting,
        accountId == null ? "denied" : "approved",
        accountId,
        hash(code),
        now);
  }

  /** Answers the device that polls for the decision. */
  Answer poll(String deviceCode, String clientId, Instant now) {
    var hash = Secret.hash(deviceCode);
    // Locked before the device's row, because ending sessions also locks the account first.
    database.first(
        """
        select from account a join oauth_device d on d.account_id = a.id where d.hash = ?
        for share of a
        """,
        _ -> true,
        hash);
    var found =
        database.first(
            """
            select client_id, scope, resource, status, account_id, interval_s, polled_at,
                   expires_at
            from oauth_device where hash = ? and client_id = ? for update
            """,
            Devices::read,
            hash,
            clientId);
    return found
        .map(device -> answer(device, hash, now))
        .orElse(Answer.no(OAuth2Error.INVALID_GRANT));
  }

  private Answer answer(Stored device, byte[] hash, Instant now) {
    if (!device.expiresAt().isAfter(now)) {
      return Answer.no(DeviceAuthorizationGrantError.EXPIRED_TOKEN);
    }
    return switch (device.status()) {
      // The library's status is 403, but the token endpoint answers 400.
      case "denied" -> Answer.no(OAuth2Error.ACCESS_DENIED.setHTTPStatusCode(400));
      case "approved" -> {
        database.update("delete from oauth_device where hash = ?", hash);
        yield new Answer(
            new Session(
                Ids.next(),
                device.accountId(),
                device.device().clientId(),
                device.device().grantScope().scope(),
                device.device().grantScope().resource()),
            null);
      }
      default -> Answer.no(wait(device, hash, now));
    };
  }

  private ErrorObject wait(Stored device, byte[] hash, Instant now) {
    boolean tooSoon =
        device.polledAt() != null && device.polledAt().plusSeconds(device.interval()).isAfter(now);
    database.update(
        "update oauth_device set polled_at = ?, interval_s = ? where hash = ?",
        now,
        tooSoon ? device.interval() + INTERVAL_SECONDS : device.interval(),
        hash);
    return tooSoon
        ? DeviceAuthorizationGrantError.SLOW_DOWN
        : DeviceAuthorizationGrantError.AUTHORIZATION_PENDING;
  }

  private static Stored read(ResultSet row) throws SQLException {
    return new Stored(
        waiting(row),
        row.getString("status"),
        row.getObject("account_id", UUID.class),
        row.getInt("interval_s"),
        Rows.instant(row, "polled_at"),
        Rows.instant(row, "expires_at"));
  }

  private static Waiting waiting(ResultSet row) throws SQLException {
    return new Waiting(
        row.getString("client_id"),
        new GrantScope(row.getString("scope"), row.getString("resource")));
  }

  private static byte[] hash(UserCode code) {
    return Secret.hash(code.letters());
  }

  /**
   * Revokes the devices that an account has approved: the holder of an ended session may have
   * approved them.
   */
  void end(@Observes Sessions.EndedByAccount ended) {
    database.update("delete from oauth_device where account_id = ?", ended.accountId());
  }
}
