package dev.cairn.oauth;

import com.nimbusds.oauth2.sdk.pkce.CodeChallenge;
import com.nimbusds.oauth2.sdk.pkce.CodeChallengeMethod;
import com.nimbusds.oauth2.sdk.pkce.CodeVerifier;
import dev.cairn.access.limit.CredentialLimiter;
import dev.cairn.access.session.Session;
import dev.cairn.access.session.Session.Ending;
import dev.cairn.access.session.Sessions;
import dev.cairn.platform.Ids;
import dev.cairn.platform.database.Database;
import dev.cairn.platform.database.Rows;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.UUID;

/**
 * Authorization codes: usable once, for a minute, by the client that requested it with its PKCE
 * verifier. The first use invalidates a code, whether it succeeds or not; a second use ends the
 * session that the first one began.
 */
@ApplicationScoped
class Codes {
  static final Duration LIFETIME = Duration.ofSeconds(60);

  private final Database database;
  private final CredentialLimiter credentialLimiter;
  private final Sessions sessions;
  private final BrowserSessions browserSessions;
  private final Consents consents;

  private record Stored(
      Session session, String redirectUri, String challenge, boolean isUsed, Instant expiresAt) {

    boolean isFor(Proof proof, Instant now) {
      return expiresAt.isAfter(now)
          && session.clientId().equals(proof.clientId())
          && (proof.redirectUri() == null || proof.redirectUri().toString().equals(redirectUri))
          && proof.verifier() != null
          && MessageDigest.isEqual(bytes(challenge), bytes(challenge(proof.verifier())));
    }

    private static String challenge(CodeVerifier verifier) {
      return CodeChallenge.compute(CodeChallengeMethod.S256, verifier).getValue();
    }

    private static byte[] bytes(String text) {
      return text.getBytes(StandardCharsets.US_ASCII);
    }
  }

  /**
   * What a client must send with a code.
   *
   * @param redirectUri null if it is left out, as OAuth 2.1 allows
   * @param verifier null if it is missing
   */
  record Proof(String clientId, URI redirectUri, CodeVerifier verifier) {}

  Codes(
      Database database,
      CredentialLimiter credentialLimiter,
      Sessions sessions,
      BrowserSessions browserSessions,
      Consents consents) {
    this.database = database;
    this.credentialLimiter = credentialLimiter;
    this.sessions = sessions;
    this.browserSessions = browserSessions;
    this.consents = consents;
  }

  /**
   * Issues a code for a consent; empty if the session has ended.
   *
   * @param address the network address of the person
   */
  Optional<String> issue(
      AuthorizeRequest authorization,
      BrowserSessions.BrowserSession session,
      String address,
      Instant now) {
    return credentialLimiter.ofAccount(
        session.accountId(),
        () -> {
          if (!browserSessions.tryHold(session)) {
            return Optional.empty();
          }
          var code = Secret.CODE.next();
          store(code, authorization, session.accountId(), now);
          consents.record(
              session.accountId(), authorization.client(), authorization.grantScope(), address);
          return Optional.of(code);
        });
  }

  private void store(String code, AuthorizeRequest authorization, UUID accountId, Instant now) {
    database.update(
        """
        insert into oauth_code (hash, grant_id, account_id, client_id, redirect_uri,
          code_challenge, scope, resource, expires_at)
        values (?, ?, ?, ?, ?, ?, ?, ?, ?)
        """,
        Secret.hash(code),
        Ids.next(),
        accountId,
        authorization.client().id(),
        authorization.redirectUri().toString(),
        authorization.challenge().getValue(),
        authorization.grantScope().scope(),
        authorization.grantScope().resource(),
        now.plus(LIFETIME));
  }

  /**
   * Redeems a code, once, for its session, which has not begun yet.
   *
   * @param address the network address of the client
   */
  Optional<Session> redeem(String code, Proof proof, String address, Instant now) {
    var hash = Secret.hash(code);
    // Locked before the code's row, because ending sessions also locks the account first.
    database.first(
        """
        select from account a join oauth_code c on c.account_id = a.id where c.hash = ?
        for share of a
        """,
        _ -> true,
        hash);
    var stored =
        database.first(
            """
            select grant_id, account_id, client_id, scope, resource, redirect_uri, code_challenge,
                   used_at is not null as used, expires_at
            from oauth_code where hash = ? for update
            """,
            Codes::read,
            hash);
    if (stored.filter(Stored::isUsed).isPresent()) {
      sessions.end(stored.get().session().id(), Ending.CODE_REUSED, address);
      return Optional.empty();
    }
    database.update("update oauth_code set used_at = ? where hash = ?", now, hash);
    return stored.filter(found -> found.isFor(proof, now)).map(Stored::session);
  }

  private static Stored read(ResultSet row) throws SQLException {
    return new Stored(
        new Session(
            row.getObject("grant_id", UUID.class),
            row.getObject("account_id", UUID.class),
            row.getString("client_id"),
            row.getString("scope"),
            row.getString("resource")),
        row.getString("redirect_uri"),
        row.getString("code_challenge"),
        row.getBoolean("used"),
        Rows.instant(row, "expires_at"));
  }

  /**
   * Revokes the codes that an account has approved: the holder of an ended session may have
   * approved them.
   */
  void end(@Observes Sessions.EndedByAccount ended) {
    database.update("delete from oauth_code where account_id = ?", ended.accountId());
  }
}
