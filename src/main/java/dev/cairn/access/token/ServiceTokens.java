package dev.cairn.access.token;

import com.fasterxml.jackson.databind.ObjectMapper;
import dev.cairn.access.Caller;
import dev.cairn.access.Caller.SignedIn;
import dev.cairn.access.LiveComponentToken;
import dev.cairn.access.MemberRoles;
import dev.cairn.access.Permission;
import dev.cairn.access.Role;
import dev.cairn.access.ScopeEntry;
import dev.cairn.access.Scopes;
import dev.cairn.access.session.Sessions;
import dev.cairn.model.Sha256;
import dev.cairn.platform.database.Database;
import dev.cairn.platform.database.Rows;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.Stream;

/**
 * Tokens that the service issues for one repository: to each attempt of a sprite, and to installed
 * components. They are opaque, stored as hashes, valid only in that repository, and only as long as
 * the subscription of the attempt exists, or as {@link LiveComponentToken} says. See {@code
 * docs/access.md}, Service tokens, and {@code docs/components.md}, Tokens.
 */
@ApplicationScoped
public class ServiceTokens {
  /** Of the runtime token of a component: a year, leap years included. */
  private static final Duration RUNTIME_LIFETIME = Duration.ofDays(366);

  private static final Duration SETUP_LIFETIME = Duration.ofMinutes(5);

  /** The pattern that matches every wref. */
  private static final String EVERYTHING = "**";

  private final Database database;
  private final MemberRoles roles;
  private final RepositoryScopes scopes;

  /** A new token of a component; the token itself is stored nowhere. */
  public record Minted(String token, Instant expiresAt) {}

  /**
   * The runtime token of a component.
   *
   * @param scopes with which it was minted, as JSON
   */
  public record RuntimeToken(UUID accountId, String scopes, Instant expiresAt) {}

  ServiceTokens(Database database, MemberRoles roles, ObjectMapper json) {
    this.database = database;
    this.roles = roles;
    this.scopes = new RepositoryScopes(json);
  }

  /** Whether a bearer token has the prefix of a service token or of a component token. */
  public static boolean hasFormat(String token) {
    return TokenFormat.SERVICE.isClaimedBy(token) || TokenFormat.COMPONENT.isClaimedBy(token);
  }

  /**
   * Mints the token of an attempt.
   *
   * @param accountId the account on whose behalf it acts
   * @param tokenScopes the scopes of the subscription, as JSON; the token gets only the permissions
   *     that the account's role in the repository grants at this moment
   * @param lifetime of the token, from now
   * @return empty if no permission remains, or if the account is no member any more
   */
  public Optional<String> mint(
      UUID repoId, UUID runId, int attempt, UUID accountId, String tokenScopes, Duration lifetime) {
    var entries = granted(scopes.entries(tokenScopes), roles.in(repoId, accountId));
    if (entries.isEmpty()) {
      return Optional.empty();
    }
    var token = TokenFormat.SERVICE.random();
    var now = Instant.now();
    // The lock keeps the member from being removed until the token is committed: removing a member
    // ends its tokens.
    int inserted =
        database.update(
            """
            insert into service_token
              (hash, repo_id, run_id, attempt, account_id, scopes, created_at, expires_at)
            select ?, r.id, ?, ?, m.account_id, ?, ?, ?
            from member m join repository r on r.org_id = m.org_id
            where r.id = ? and m.account_id = ?
            for share of m
            """,
            Sha256.of(token),
            runId,
            attempt,
            scopes.text(entries),
            now,
            now.plus(lifetime),
            repoId,
            accountId);
    return inserted == 1 ? Optional.of(token) : Optional.empty();
  }

  /**
   * Mints the runtime token of an installed component, valid for 366 days, and only in the
   * repository of the install. It gets {@code repo:read} and {@code repo:write}, each narrowed to
   * the patterns, as far as the account's role grants them at this moment. An install has one
   * runtime token: a new one replaces it, and ends it even if no permission remains for the new
   * one.
   *
   * @param accountId the account on whose behalf it acts
   * @param reads the patterns of wrefs that it may read; not at all if empty, everything if one of
   *     them is {@code **}
   * @param writes the same for writing
   * @return empty if no permission remains
   */
  public Optional<Minted> mintRuntimeToken(
      UUID repoId, UUID installId, UUID accountId, List<String> reads, List<String> writes) {
    var now = Instant.now();
    var minted =
        mintForInstall(
            repoId, installId, accountId, reads, writes, false, now, now.plus(RUNTIME_LIFETIME));
    if (minted.isEmpty()) {
      revokeRuntimeToken(repoId, installId);
    }
    return minted;
  }

  /**
   * Mints the token of a setup call: with the rights of a runtime token, and valid for at most five
   * minutes. An install may have several.
   *
   * @param notAfter the latest time at which it may expire; null for no limit
   * @return empty if no permission or no time remains
   */
  public Optional<Minted> mintSetupToken(
      UUID repoId,
      UUID installId,
      UUID accountId,
      List<String> reads,
      List<String> writes,
      Instant notAfter) {
    var now = Instant.now();
    var end = now.plus(SETUP_LIFETIME);
    var expiresAt = notAfter != null && notAfter.isBefore(end) ? notAfter : end;
    return expiresAt.isAfter(now)
        ? mintForInstall(repoId, installId, accountId, reads, writes, true, now, expiresAt)
        : Optional.empty();
  }

  private Optional<Minted> mintForInstall(
      UUID repoId,
      UUID installId,
      UUID accountId,
      List<String> reads,
      List<String> writes,
      boolean isSetup,
      Instant now,
      Instant expiresAt) {
    keepMember(repoId, accountId);
    var entries = granted(componentEntries(reads, writes), roles.in(repoId, accountId));
    if (entries.isEmpty()) {
      return Optional.empty();
    }
    var token = TokenFormat.COMPONENT.random();
    database.update(
        """
        insert into service_token
          (hash, repo_id, install_id, is_setup, account_id, scopes, created_at, expires_at)
        values (?, ?, ?, ?, ?, ?, ?, ?)
        on conflict (repo_id, install_id) where install_id is not null and not is_setup do update
        set hash = excluded.hash, account_id = excluded.account_id, scopes = excluded.scopes,
            created_at = excluded.created_at, expires_at = excluded.expires_at
        """,
        Sha256.of(token),
        repoId,
        installId,
        isSetup,
        accountId,
        scopes.text(entries),
        now,
        expiresAt);
    return Optional.of(new Minted(token, expiresAt));
  }

  /** Nobody removes the member before this transaction ends: that ends the member's tokens. */
  private void keepMember(UUID repoId, UUID accountId) {
    database.list(
        """
        select from member m join repository r on r.org_id = m.org_id
        where r.id = ? and m.account_id = ? for share of m
        """,
        _ -> true,
        repoId,
        accountId);
  }

  private static List<ScopeEntry> componentEntries(List<String> reads, List<String> writes) {
    return Stream.of(entry(Permission.REPO_READ, reads), entry(Permission.REPO_WRITE, writes))
        .flatMap(Optional::stream)
        .toList();
  }

  private static Optional<ScopeEntry> entry(Permission permission, List<String> patterns) {
    return patterns.isEmpty()
        ? Optional.empty()
        : Optional.of(
            new ScopeEntry(
                null,
                List.of(permission.scope()),
                patterns.contains(EVERYTHING) ? null : patterns));
  }

  private void revokeRuntimeToken(UUID repoId, UUID installId) {
    database.update(
        "delete from service_token where repo_id = ? and install_id = ? and not is_setup",
        repoId,
        installId);
  }

  /**
   * Ends the tokens of setup calls that were minted on behalf of an account: what may have minted
   * them has ended.
   */
  void endSetupTokens(@Observes Sessions.EndedByAccount ended) {
    endSetupTokens(ended.accountId());
  }

  /** The same for an account. */
  void endSetupTokens(UUID accountId) {
    database.update("delete from service_token where account_id = ? and is_setup", accountId);
  }

  /** Ends all tokens of an installed component. */
  public void revoke(UUID repoId, UUID installId) {
    database.update(
        "delete from service_token where repo_id = ? and install_id = ?", repoId, installId);
  }

  /**
   * Ends the tokens of sprites and of components that act for an account in the repositories of an
   * organization: they would be valid again if the account became a member once more.
   */
  public void revokeOfMember(UUID orgId, UUID accountId) {
    database.update(
        """
        delete from service_token t using repository r
        where r.org_id = ? and t.repo_id = r.id and t.account_id = ?
        """,
        orgId,
        accountId);
  }

  /** Ends the runtime tokens of all installs of a component. */
  public void revokeRuntimeTokens(UUID componentId) {
    database.update(
        """
        delete from service_token t using component_install i
        where i.component_id = ? and t.repo_id = i.repo_id and t.install_id = i.id
          and not t.is_setup
        """,
        componentId);
  }

  /** Whether a token was minted for exactly these patterns. */
  public boolean isFor(RuntimeToken token, List<String> reads, List<String> writes) {
    return scopes.entries(token.scopes()).equals(componentEntries(reads, writes));
  }

  /**
   * Whether the role of a token's account still grants everything that the token was minted for.
   */
  public boolean isGranted(UUID repoId, RuntimeToken token) {
    var entries = scopes.entries(token.scopes());
    return granted(entries, roles.in(repoId, token.accountId())).equals(entries);
  }

  /** The runtime token of an installed component; empty if there is no live one. */
  public Optional<RuntimeToken> liveRuntimeToken(UUID repoId, UUID installId) {
    return database.first(
        """
        select t.account_id, t.scopes, t.expires_at from %s
        where t.repo_id = ? and t.install_id = ? and not t.is_setup and %s
        """
            .formatted(LiveComponentToken.ROWS, LiveComponentToken.CONDITION),
        row ->
            new RuntimeToken(
                row.getObject("account_id", UUID.class),
                row.getString("scopes"),
                Rows.instant(row, "expires_at")),
        repoId,
        installId);
  }

  /** The entries with the permissions that the role grants; entries without any are left out. */
  private static List<ScopeEntry> granted(List<ScopeEntry> entries, Optional<Role> role) {
    return entries.stream()
        .map(entry -> new ScopeEntry(null, granted(entry, role), entry.allowedMatches()))
        .filter(entry -> !entry.permissions().isEmpty())
        .toList();
  }

  private static List<String> granted(ScopeEntry entry, Optional<Role> role) {
    return entry.permissions().stream()
        .filter(
            name ->
                Permission.of(name)
                    .filter(permission -> role.filter(r -> r.grants(permission)).isPresent())
                    .isPresent())
        .toList();
  }

  /**
   * The caller of a token; empty if it is unknown, expired, its subscription deleted, or its
   * component no longer entitled to it.
   */
  public Optional<Caller> verify(String token, String address) {
    if (TokenFormat.SERVICE.isWellFormed(token)) {
      return sprite(Sha256.of(token), address);
    }
    if (TokenFormat.COMPONENT.isWellFormed(token)) {
      return component(Sha256.of(token), address);
    }
    return Optional.empty();
  }

  private Optional<Caller> sprite(byte[] hash, String address) {
    return database.first(
        """
        select t.account_id, a.display_name, p.org_id, t.repo_id,
               o.name || '/' || p.name as repo, t.scopes, t.expires_at,
               r.subscription_name, r.id as run_id, r.trace_id, r.depth
        from service_token t
        join account a on a.id = t.account_id
        join repository p on p.id = t.repo_id
        join organization o on o.id = p.org_id
        join action_run r on r.repo_id = t.repo_id and r.id = t.run_id
        join subscription s on s.repo_id = r.repo_id and s.id = r.subscription_id
        where t.hash = ? and t.expires_at > ?
        """,
        row ->
            caller(
                row,
                new Caller.ServiceToken(
                    row.getString("subscription_name"),
                    row.getObject("run_id", UUID.class),
                    row.getObject("trace_id", UUID.class),
                    row.getInt("depth"),
                    HexFormat.of().formatHex(hash),
                    carried(row, hash),
                    Rows.instant(row, "expires_at")),
                address),
        hash,
        Instant.now());
  }

  private Optional<Caller> component(byte[] hash, String address) {
    return database.first(
        """
        select t.account_id, a.display_name, p.org_id, t.repo_id,
               o.name || '/' || p.name as repo, t.scopes, t.expires_at,
               co.name || '/' || c.name as component, t.install_id
        from %s
        join account a on a.id = t.account_id
        join organization o on o.id = p.org_id
        join organization co on co.id = c.org_id
        where t.hash = ? and %s
        """
            .formatted(LiveComponentToken.ROWS, LiveComponentToken.CONDITION),
        row ->
            caller(
                row,
                new Caller.ComponentToken(
                    row.getString("component"),
                    row.getObject("install_id", UUID.class),
                    HexFormat.of().formatHex(hash),
                    carried(row, hash),
                    Rows.instant(row, "expires_at")),
                address),
        hash);
  }

  /**
   * The scopes of a token, which are kept once for all who use it.
   *
   * @param row with {@code repo}, {@code org_id}, {@code repo_id} and {@code scopes}
   */
  Scopes carried(ResultSet row, byte[] hash) throws SQLException {
    return scopes.of(
        hash,
        row.getString("repo"),
        row.getObject("org_id", UUID.class),
        row.getObject("repo_id", UUID.class),
        row.getString("scopes"));
  }

  private static Caller caller(ResultSet row, Caller.Token token, String address)
      throws SQLException {
    return new SignedIn(
        row.getObject("account_id", UUID.class), row.getString("display_name"), token, address);
  }
}
