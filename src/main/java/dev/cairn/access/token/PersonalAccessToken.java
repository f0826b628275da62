package dev.cairn.access.token;

import io.quarkus.hibernate.orm.panache.PanacheEntityBase;
import jakarta.persistence.Column;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import jakarta.persistence.LockModeType;
import jakarta.persistence.Table;
import java.time.Instant;
import java.util.Optional;
import java.util.UUID;

/** A personal access token without its scopes, which are rows of {@code token_scope}. */
@Entity
@Table(name = "personal_access_token")
public class PersonalAccessToken extends PanacheEntityBase {
  @Id public UUID id;

  @Column(name = "account_id")
  public UUID accountId;

  /** Unique within the account; a revoked or expired token keeps it. */
  public String name;

  /** Null if the account gave none. */
  public String description;

  /** SHA-256 of the token. */
  public byte[] hash;

  @Column(name = "expires_at")
  public Instant expiresAt;

  /** When it was revoked; null if it was not. */
  @Column(name = "revoked_at")
  public Instant revokedAt;

  @Column(name = "created_at")
  public Instant createdAt;

  /** The token of an account with that name, locked until the transaction ends. */
  static Optional<PersonalAccessToken> locked(UUID accountId, String name) {
    return find("accountId = ?1 and name = ?2", accountId, name)
        .withLock(LockModeType.PESSIMISTIC_WRITE)
        .firstResultOptional();
  }
}
