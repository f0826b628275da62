package dev.cairn.access;

import com.fasterxml.jackson.databind.ObjectMapper;
import dev.cairn.access.Caller.SignedIn;
import dev.cairn.model.Sha256;
import dev.cairn.platform.Database;
import dev.cairn.platform.Rows;
import jakarta.enterprise.context.ApplicationScoped;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/**
 * Tokens that the service makes for what it runs itself, one for each attempt of a sprite: opaque,
 * stored as hashes, good in the repository of their run alone, and no longer than its subscription
 * is there. See {@code docs/access.md}, Service tokens.
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

  /** Whether a bearer token claims to be one of these. */
  static boolean isOne(String token) {
    return TokenFormat.SERVICE.isClaimedBy(token);
  }

  /**
   * Makes the token of an attempt.
   *
   * @param accountId for whom it acts
   * @param tokenScopes the subscription's, as JSON; the token gets of them what the account's role
   *     in the repository has at this moment
   * @param lifetime from now on
   * @return empty where nothing is left for it to be good for
   */
  public Optional<String> mint(
      UUID repoId, UUID runId, int attempt, UUID accountId, String tokenScopes, Duration lifetime) {
    var entries = held(scopes.entries(tokenScopes), roles.in(repoId, accountId));
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

  /** Of the entries, the permissions that the role has; what is empty then is left out. */
  private static List<ScopeEntry> held(List<ScopeEntry> entries, Optional<Role> role) {
    return entries.stream()
        .map(entry -> new ScopeEntry(null, held(entry, role), entry.allowedMatches()))
        .filter(entry -> !entry.permissions().isEmpty())
        .toList();
  }

  private static List<String> held(ScopeEntry entry, Optional<Role> role) {
    return entry.permissions().stream()
        .filter(
            name ->
                Permission.of(name)
                    .filter(permission -> role.filter(r -> r.grants(permission)).isPresent())
                    .isPresent())
        .toList();
  }

  /** Who the token stands for; empty where it is unknown, expired, or its subscription deleted. */
  Optional<Caller> verify(String token, String address) {
    if (!TokenFormat.SERVICE.isWellFormed(token)) {
      return Optional.empty();
    }
    var hash = Sha256.of(token);
    return database
        .first(
            """
            select t.account_id, a.display_name, p.org_id, t.repo_id, o.name || '/' || p.name,
                   t.scopes, r.subscription_name, r.id, r.trace_id, r.depth, t.expires_at
            from service_token t
            join account a on a.id = t.account_id
            join action_run r on r.repo_id = t.repo_id and r.id = t.run_id
            join subscription s on s.repo_id = r.repo_id and s.id = r.subscription_id
            join repository p on p.id = t.repo_id
            join organization o on o.id = p.org_id
            where t.hash = ? and t.expires_at > ?
            """,
            row ->
                new SignedIn(
                    row.getObject(1, UUID.class), row.getString(2), token(row, hash), address),
            hash,
            Instant.now())
        .map(caller -> caller);
  }

  private Caller.ServiceToken token(ResultSet row, byte[] hash) throws SQLException {
    return new Caller.ServiceToken(
        row.getString(7),
        row.getObject(8, UUID.class),
        row.getObject(9, UUID.class),
        row.getInt(10),
        scopes.of(
            hash,
            row.getString(5),
            row.getObject(3, UUID.class),
            row.getObject(4, UUID.class),
            row.getString(6)),
        Rows.instant(row, 11));
  }
}
