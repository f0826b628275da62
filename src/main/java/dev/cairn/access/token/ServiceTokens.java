package dev.cairn.access.token;

import com.fasterxml.jackson.databind.ObjectMapper;
import dev.cairn.access.Caller;
import dev.cairn.access.Caller.SignedIn;
import dev.cairn.access.MemberRoles;
import dev.cairn.access.Permission;
import dev.cairn.access.Role;
import dev.cairn.access.ScopeEntry;
import dev.cairn.model.Sha256;
import dev.cairn.platform.database.Database;
import dev.cairn.platform.database.Rows;
import jakarta.enterprise.context.ApplicationScoped;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/**
 * Tokens that the service issues for one repository, to each attempt of a sprite. They are opaque,
 * stored as hashes, valid only in that repository, and only as long as the subscription of the
 * attempt exists. See {@code docs/access.md}, Service tokens.
 */
@ApplicationScoped
public class ServiceTokens {
  private final Database database;
  private final MemberRoles roles;
  private final RepositoryScopes scopes;

  ServiceTokens(Database database, MemberRoles roles, ObjectMapper json) {
    this.database = database;
    this.roles = roles;
    this.scopes = new RepositoryScopes(json);
  }

  /** Whether a bearer token has the prefix of a service token. */
  public static boolean hasFormat(String token) {
    return TokenFormat.SERVICE.isClaimedBy(token);
  }

  /**
   * Mints the token of an attempt.
   *
   * @param accountId the account on whose behalf it acts
   * @param tokenScopes the scopes of the subscription, as JSON; the token gets only the permissions
   *     that the account's role in the repository grants at this moment
   * @param lifetime of the token, from now
   * @return empty if no permission remains
   */
  public Optional<String> mint(
      UUID repoId, UUID runId, int attempt, UUID accountId, String tokenScopes, Duration lifetime) {
    var entries = granted(scopes.entries(tokenScopes), roles.in(repoId, accountId));
    if (entries.isEmpty()) {
      return Optional.empty();
    }
    var token = TokenFormat.SERVICE.random();
    var now = Instant.now();
    database.update(
        """
        insert into service_token
          (hash, repo_id, run_id, attempt, account_id, scopes, created_at, expires_at)
        values (?, ?, ?, ?, ?, ?, ?, ?)
        """,
        Sha256.of(token),
        repoId,
        runId,
        attempt,
        accountId,
        scopes.text(entries),
        now,
        now.plus(lifetime));
    return Optional.of(token);
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

  /** The caller of a token; empty if it is unknown, expired, or its subscription deleted. */
  public Optional<Caller> verify(String token, String address) {
    if (!TokenFormat.SERVICE.isWellFormed(token)) {
      return Optional.empty();
    }
    var hash = Sha256.of(token);
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
        row -> caller(row, hash, address),
        hash,
        Instant.now());
  }

  private Caller caller(ResultSet row, byte[] hash, String address) throws SQLException {
    var carried =
        scopes.of(
            hash,
            row.getString("repo"),
            row.getObject("org_id", UUID.class),
            row.getObject("repo_id", UUID.class),
            row.getString("scopes"));
    var token =
        new Caller.ServiceToken(
            row.getString("subscription_name"),
            row.getObject("run_id", UUID.class),
            row.getObject("trace_id", UUID.class),
            row.getInt("depth"),
            carried,
            Rows.instant(row, "expires_at"));
    return new SignedIn(
        row.getObject("account_id", UUID.class), row.getString("display_name"), token, address);
  }
}
