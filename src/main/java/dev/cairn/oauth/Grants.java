package dev.cairn.oauth;

import dev.cairn.access.AuditLog;
import dev.cairn.access.Caller;
import dev.cairn.access.PasswordChange;
import dev.cairn.platform.Database;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.UUID;

/**
 * Grants and their refresh tokens. A refresh token is good once; the second use of one means that
 * it was copied, and ends the grant. Everything locks the grant's row first, so that no token is
 * made beneath a grant that is just being ended.
 */
@ApplicationScoped
class Grants {
  private static final Duration LIFETIME = Duration.ofDays(30);

  private final Database database;

  private record Stored(boolean used, Instant expiresAt) {}

  /** A grant, and the refresh token that is good next. */
  record Renewed(Grant grant, String refreshToken) {}

  Grants(Database database) {
    this.database = database;
  }

  /** Tells of an account's consent in the audit logs of the organizations that it reaches. */
  static void record(AuditLog audit, UUID accountId, Client client, Extent extent, String address) {
    var caller = Caller.agreeing(accountId, extent.scope(), address);
    audit.recordToken(caller, caller.token().scopes(), "token.authorized", client.name());
  }

  /** Begins a grant; answers its first refresh token. */
  String begin(Grant grant, Instant now) {
    database.update(
        """
        insert into oauth_grant
          (id, account_id, client_id, scope, resource, created_at, expires_at)
        values (?, ?, ?, ?, ?, ?, ?)
        """,
        grant.id(),
        grant.accountId(),
        grant.clientId(),
        grant.extent().scope(),
        grant.extent().resource(),
        now,
        now.plus(LIFETIME));
    return refreshToken(grant.id(), now);
  }

  /** Uses a client's refresh token up; empty where it is not good, or not good any more. */
  Optional<Renewed> renew(String token, String clientId, Instant now) {
    return locked(token, clientId).flatMap(grant -> use(grant, Secret.hash(token), now));
  }

  private Optional<Renewed> use(Grant grant, byte[] hash, Instant now) {
    var stored =
        database
            .first(
                "select used_at is not null, expires_at from oauth_refresh_token where hash = ?",
                row -> new Stored(row.getBoolean(1), row.getTimestamp(2).toInstant()),
                hash)
            .filter(token -> token.expiresAt().isAfter(now));
    if (stored.isEmpty()) {
      return Optional.empty();
    }
    if (stored.get().used()) {
      end(grant.id());
      return Optional.empty();
    }
    database.update("update oauth_refresh_token set used_at = ? where hash = ?", now, hash);
    database.update(
        "update oauth_grant set expires_at = ? where id = ?", now.plus(LIFETIME), grant.id());
    return Optional.of(new Renewed(grant, refreshToken(grant.id(), now)));
  }

  /** Ends the grant of a client's refresh token, if it is one. */
  void endByToken(String token, String clientId) {
    locked(token, clientId).ifPresent(grant -> end(grant.id()));
  }

  /** Ends a grant with all its refresh tokens. */
  void end(UUID id) {
    database.update("delete from oauth_grant where id = ?", id);
  }

  /** The grant of a token, whose row nobody else can lock until the transaction ends. */
  private Optional<Grant> locked(String token, String clientId) {
    return database.first(
        """
        select g.id, g.account_id, g.client_id, g.scope, g.resource
        from oauth_refresh_token t join oauth_grant g on g.id = t.grant_id
        where t.hash = ? and g.client_id = ? for update of g
        """,
        row ->
            new Grant(
                row.getObject(1, UUID.class),
                row.getObject(2, UUID.class),
                row.getString(3),
                new Extent(row.getString(4), row.getString(5))),
        Secret.hash(token),
        clientId);
  }

  private String refreshToken(UUID grantId, Instant now) {
    var token = Secret.REFRESH_TOKEN.next();
    database.update(
        "insert into oauth_refresh_token (hash, grant_id, expires_at) values (?, ?, ?)",
        Secret.hash(token),
        grantId,
        now.plus(LIFETIME));
    return token;
  }

  /** Ends all grants of an account, since its password is another one now. */
  void end(@Observes PasswordChange.Changed changed) {
    database.update("delete from oauth_grant where account_id = ?", changed.accountId());
  }
}
