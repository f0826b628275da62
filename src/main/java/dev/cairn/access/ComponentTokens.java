package dev.cairn.access;

import com.fasterxml.jackson.databind.ObjectMapper;
import dev.cairn.access.Caller.SignedIn;
import dev.cairn.model.Sha256;
import dev.cairn.platform.Database;
import dev.cairn.platform.Rows;
import jakarta.enterprise.context.ApplicationScoped;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.Optional;
import java.util.UUID;

/**
 * Tokens of components: opaque, stored as hashes, good in the repository that the component is
 * installed in alone, and never for an export. See {@code docs/access.md}, Component tokens.
 */
@ApplicationScoped
class ComponentTokens {
  private final Database database;
  private final RepositoryScopes scopes;

  ComponentTokens(Database database, ObjectMapper json) {
    this.database = database;
    this.scopes = new RepositoryScopes(json);
  }

  /** Whether a bearer token claims to be one of these. */
  static boolean isOne(String token) {
    return TokenFormat.COMPONENT.isClaimedBy(token);
  }

  /** Who the token stands for; empty where it is unknown or expired. */
  Optional<Caller> verify(String token, String address) {
    if (!TokenFormat.COMPONENT.isWellFormed(token)) {
      return Optional.empty();
    }
    var hash = Sha256.of(token);
    return database
        .first(
            """
            select t.account_id, a.display_name, t.component, o.name || '/' || r.name, r.org_id,
                   t.repo_id, t.scopes, t.expires_at
            from component_token t
            join account a on a.id = t.account_id
            join repository r on r.id = t.repo_id
            join organization o on o.id = r.org_id
            where t.hash = ? and t.expires_at > ?
            """,
            row ->
                new SignedIn(
                    row.getObject(1, UUID.class), row.getString(2), token(row, hash), address),
            hash,
            Instant.now())
        .map(caller -> caller);
  }

  private Caller.ComponentToken token(ResultSet row, byte[] hash) throws SQLException {
    return new Caller.ComponentToken(
        row.getString(3),
        scopes.of(
            hash,
            row.getString(4),
            row.getObject(5, UUID.class),
            row.getObject(6, UUID.class),
            row.getString(7)),
        Rows.instant(row, 8));
  }
}
