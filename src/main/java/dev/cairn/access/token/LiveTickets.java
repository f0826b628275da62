package dev.cairn.access.token;

import dev.cairn.access.Caller;
import dev.cairn.access.LookUpLimit;
import dev.cairn.access.RepositoryAccess;
import dev.cairn.access.Scopes;
import dev.cairn.access.limit.RateLimiter;
import dev.cairn.model.ErrorCode;
import dev.cairn.model.Problem;
import dev.cairn.model.Sha256;
import dev.cairn.platform.CairnConfig;
import dev.cairn.platform.database.Database;
import dev.cairn.platform.database.Expired;
import dev.cairn.platform.database.Rows;
import io.quarkus.runtime.annotations.RegisterForReflection;
import jakarta.enterprise.context.ApplicationScoped;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.HexFormat;
import java.util.Optional;
import java.util.UUID;

/**
 * Tickets for live updates of a repository. A ticket takes the place of an {@code Authorization}
 * header where browsers cannot send one. It is used once, within a minute, and acts with the rights
 * that its caller's token has for reading, as long as that is valid. It refers to the token, whose
 * scopes are kept once for all. See {@code docs/live.md}, Tickets.
 */
@ApplicationScoped
public class LiveTickets {
  private static final Duration LIFETIME = Duration.ofMinutes(1);
  private static final Duration MINUTE = Duration.ofMinutes(1);
  private static final String POLICY = "live tickets";

  /** Each new ticket deletes more expired ones than itself, so that these do not pile up. */
  private static final int DELETED_WITH_EACH = 2;

  private static final Expired EXPIRED = new Expired("live_ticket", "expires_at");

  /** A ticket whose token is gone finds nothing. */
  private static final String REDEEM =
      """
      with used as (delete from live_ticket where hash = ? returning *)
      select u.account_id, a.display_name, u.pat, t.id as pat_id, s.run_id, u.session_id,
             s.hash as service_token, s.scopes, u.token_expires_at,
             p.org_id, u.repo_id, o.name || '/' || p.name as repo
      from used u
      join repository p on p.id = u.repo_id
      join organization o on o.id = p.org_id
      left join account a on a.id = u.account_id
      left join personal_access_token t on t.account_id = u.account_id and t.name = u.pat
      left join service_token s on s.repo_id = u.repo_id and s.hash = u.service_token
      where u.expires_at > clock_timestamp()
        and (u.pat is null or t.id is not null)
        and (u.service_token is null or s.hash is not null)
      """;

  private final Database database;
  private final RateLimiter limiter;
  private final LookUpLimit lookUps;
  private final PersonalAccessTokens pats;
  private final ServiceTokens serviceTokens;
  private final int perMinute;

  /** A new ticket, as in the answer. */
  @RegisterForReflection
  public record Issued(String ticket, Instant expiresAt) {}

  /** The caller that a ticket stands for, and the current name of its repository. */
  public record Redeemed(Caller caller, String org, String repo) {
    private static Redeemed of(Found found, Caller caller) {
      int slash = found.resource.indexOf('/');
      return new Redeemed(
          caller, found.resource.substring(0, slash), found.resource.substring(slash + 1));
    }
  }

  /**
   * A ticket that was found.
   *
   * @param resource the repository, as {@code org/repo}
   * @param accountId null for a reader without a token
   * @param patId the personal access token that it was issued to, or null
   * @param serviceToken the hash of that service or component token, or null
   * @param runId the run of that service token, or null
   * @param scopes of that service or component token; those of others are looked up
   */
  private record Found(
      String resource,
      UUID orgId,
      UUID repoId,
      UUID accountId,
      String displayName,
      String pat,
      UUID patId,
      byte[] serviceToken,
      UUID runId,
      UUID sessionId,
      Scopes scopes,
      Instant tokenExpiresAt) {

    Caller.Ticket token(Scopes reading) {
      return new Caller.Ticket(
          pat,
          runId,
          sessionId,
          serviceToken == null || runId != null ? null : HexFormat.of().formatHex(serviceToken),
          reading,
          tokenExpiresAt);
    }
  }

  LiveTickets(
      Database database,
      RateLimiter limiter,
      LookUpLimit lookUps,
      PersonalAccessTokens pats,
      ServiceTokens serviceTokens,
      CairnConfig config) {
    this.database = database;
    this.limiter = limiter;
    this.lookUps = lookUps;
    this.pats = pats;
    this.serviceTokens = serviceTokens;
    this.perMinute = config.limits().liveTicketsPerMinute();
  }

  /**
   * Issues a ticket.
   *
   * @param access granted for {@code repo:read}
   * @throws Problem {@code RATE_LIMITED}
   */
  public Issued issue(RepositoryAccess access) {
    takeOfLimit(access.caller());
    var ticket = TokenFormat.TICKET.random();
    var expiresAt = Instant.now().plus(LIFETIME);
    // A token that does not cover a public repository reads it like an anonymous caller.
    var account =
        access.isCovered() ? Optional.of(access.account()) : Optional.<Caller.SignedIn>empty();
    var _ = EXPIRED.delete(database, Instant.now(), DELETED_WITH_EACH);
    database.update(
        """
        insert into live_ticket (hash, repo_id, account_id, pat, session_id, service_token,
                                 token_expires_at, expires_at)
        values (?, ?, ?::uuid, ?, ?::uuid, decode(?::text, 'hex'), ?::timestamptz, ?)
        """,
        Sha256.of(ticket),
        access.repoId(),
        account.map(Caller.SignedIn::accountId).orElse(null),
        account.map(LiveTickets::patOrNull).orElse(null),
        account.map(Caller::sessionIdOrNull).orElse(null),
        account.map(LiveTickets::serviceTokenOrNull).orElse(null),
        account.map(a -> a.token().expiresAt()).orElse(null),
        expiresAt);
    return new Issued(ticket, expiresAt);
  }

  private static String patOrNull(Caller.SignedIn account) {
    return account.token() instanceof Caller.PersonalAccessToken pat ? pat.name() : null;
  }

  private static String serviceTokenOrNull(Caller.SignedIn account) {
    return switch (account.token()) {
      case Caller.ServiceToken service -> service.hash();
      case Caller.ComponentToken component -> component.hash();
      case Caller.AccessToken _, Caller.PersonalAccessToken _ -> null;
      case Caller.Ticket _ -> throw new IllegalArgumentException("a ticket is no bearer token");
    };
  }

  private void takeOfLimit(Caller caller) {
    switch (caller) {
      case Caller.SignedIn account ->
          limiter.take(POLICY, "account:" + account.accountId(), perMinute, MINUTE);
      case Caller.Anonymous nobody ->
          limiter.takeByAddress(POLICY, nobody.address(), perMinute, MINUTE);
    }
  }

  /**
   * Uses a ticket, which is not valid again.
   *
   * @param address the network address that sent it
   * @throws Problem {@code UNAUTHENTICATED} if it is not a ticket, or was used, or has expired
   */
  public Redeemed redeem(String ticket, String address) {
    requireForm(ticket);
    return lookUps
        .lookUp(
            new Caller.Anonymous(address),
            () -> database.first(REDEEM, this::found, Sha256.of(ticket)))
        .map(found -> Redeemed.of(found, caller(found, address)))
        .orElseThrow(LiveTickets::invalid);
  }

  /**
   * Refuses what cannot be a ticket, without using one.
   *
   * @throws Problem {@code UNAUTHENTICATED}
   */
  public static void requireForm(String ticket) {
    if (!TokenFormat.TICKET.isWellFormed(ticket)) {
      throw invalid();
    }
  }

  private Found found(ResultSet row) throws SQLException {
    var serviceToken = row.getBytes("service_token");
    return new Found(
        row.getString("repo"),
        row.getObject("org_id", UUID.class),
        row.getObject("repo_id", UUID.class),
        row.getObject("account_id", UUID.class),
        row.getString("display_name"),
        row.getString("pat"),
        row.getObject("pat_id", UUID.class),
        serviceToken,
        row.getObject("run_id", UUID.class),
        row.getObject("session_id", UUID.class),
        serviceToken == null ? null : serviceTokens.carried(row, serviceToken),
        Rows.instant(row, "token_expires_at"));
  }

  private Caller caller(Found found, String address) {
    if (found.accountId == null) {
      return new Caller.Anonymous(address);
    }
    var reading =
        scopes(found)
            .reading(found.resource, found.orgId, found.repoId)
            .orElseThrow(LiveTickets::invalid);
    return new Caller.SignedIn(found.accountId, found.displayName, found.token(reading), address);
  }

  /** The scopes of the token. Those of a sign-in have no patterns, and had {@code repo:read}. */
  private Scopes scopes(Found found) {
    if (found.patId != null) {
      return pats.scopes(found.patId);
    }
    return found.serviceToken == null ? Scopes.UNRESTRICTED : found.scopes;
  }

  /** The answer to a ticket that is not valid, or whose token is not valid any longer. */
  public static Problem invalid() {
    return Problem.of(
            ErrorCode.UNAUTHENTICATED,
            "The ticket is not valid: it was used, or it or its token has expired or ended.")
        .at("?ticket")
        .hint("Request a new one with `POST /api/repos/:org/:repo/live/tickets`.");
  }
}
