package dev.cairn.access.token;

import dev.cairn.access.Caller;
import dev.cairn.access.LookUpLimit;
import dev.cairn.access.Permission;
import dev.cairn.access.Recheck;
import dev.cairn.access.RepositoryAccess;
import dev.cairn.access.Scope;
import dev.cairn.access.Scopes;
import dev.cairn.access.limit.RateLimiter;
import dev.cairn.model.ErrorCode;
import dev.cairn.model.Problem;
import dev.cairn.model.Sha256;
import dev.cairn.model.glob.Glob;
import dev.cairn.platform.CairnConfig;
import dev.cairn.platform.database.Columns;
import dev.cairn.platform.database.Database;
import dev.cairn.platform.database.Rows;
import io.quarkus.runtime.annotations.RegisterForReflection;
import jakarta.enterprise.context.ApplicationScoped;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;

/**
 * Tickets for live updates of a repository. A ticket takes the place of an {@code Authorization}
 * header where browsers cannot send one. It is used once, within a minute, and acts with the rights
 * that its caller had for reading, as long as its caller's token is valid. See {@code
 * docs/live.md}, Tickets.
 */
@ApplicationScoped
public class LiveTickets {
  private static final Duration LIFETIME = Duration.ofMinutes(1);
  private static final Duration MINUTE = Duration.ofMinutes(1);
  private static final String POLICY = "live tickets";

  private static final String REDEEM =
      """
      with used as (delete from live_ticket where hash = ? returning *)
      select u.account_id, a.display_name, u.pat, u.run_id, u.session_id, u.component_token,
             u.patterns,
             u.token_expires_at, p.org_id, u.repo_id, o.name as org, p.name as repo
      from used u
      join repository p on p.id = u.repo_id
      join organization o on o.id = p.org_id
      left join account a on a.id = u.account_id
      where u.expires_at > clock_timestamp()
      """;

  private final Database database;
  private final RateLimiter limiter;
  private final LookUpLimit lookUps;
  private final int perMinute;

  /** A new ticket, as in the answer. */
  @RegisterForReflection
  public record Issued(String ticket, Instant expiresAt) {}

  /** The caller that a ticket stands for, and the current name of its repository. */
  public record Redeemed(Caller caller, String org, String repo) {}

  LiveTickets(Database database, RateLimiter limiter, LookUpLimit lookUps, CairnConfig config) {
    this.database = database;
    this.limiter = limiter;
    this.lookUps = lookUps;
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
    var holder = account.map(Recheck.Holder::of);
    var narrowing = access.narrowing();
    database.update(
        """
        insert into live_ticket (hash, repo_id, account_id, pat, run_id, session_id,
                                 component_token, patterns, token_expires_at, expires_at)
        values (?, ?, ?::uuid, ?, ?::uuid, ?::uuid, ?, ?::text[], ?::timestamptz, ?)
        """,
        Sha256.of(ticket),
        access.repoId(),
        holder.map(Recheck.Holder::accountId).orElse(null),
        holder.map(Recheck.Holder::pat).orElse(null),
        holder.map(Recheck.Holder::runId).orElse(null),
        holder.map(Recheck.Holder::sessionId).orElse(null),
        holder.map(Recheck.Holder::componentToken).orElse(null),
        narrowing.isUnrestricted() ? null : Columns.strings(narrowing.patterns(), Glob::toString),
        account.map(a -> a.token().expiresAt()).orElse(null),
        expiresAt);
    return new Issued(ticket, expiresAt);
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
            () -> database.first(REDEEM, row -> redeemed(row, address), Sha256.of(ticket)))
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

  private static Redeemed redeemed(ResultSet row, String address) throws SQLException {
    var accountId = row.getObject("account_id", UUID.class);
    var caller =
        accountId == null
            ? new Caller.Anonymous(address)
            : new Caller.SignedIn(accountId, row.getString("display_name"), token(row), address);
    return new Redeemed(caller, row.getString("org"), row.getString("repo"));
  }

  private static Caller.Ticket token(ResultSet row) throws SQLException {
    var patterns = row.getArray("patterns");
    Optional<List<Glob>> matches =
        patterns == null
            ? Optional.empty()
            : Optional.of(
                Arrays.stream((String[]) patterns.getArray()).map(Glob::ofStored).toList());
    var read =
        new Scope(
            row.getString("org") + "/" + row.getString("repo"),
            row.getObject("org_id", UUID.class),
            row.getObject("repo_id", UUID.class),
            Set.of(Permission.REPO_READ),
            matches);
    return new Caller.Ticket(
        row.getString("pat"),
        row.getObject("run_id", UUID.class),
        row.getObject("session_id", UUID.class),
        row.getString("component_token"),
        new Scopes(List.of(read)),
        Rows.instant(row, "token_expires_at"));
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
