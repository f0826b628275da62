package dev.cairn.subscription;

import io.quarkus.hibernate.orm.panache.PanacheEntityBase;
import jakarta.persistence.Column;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import jakarta.persistence.Table;
import java.time.Instant;
import java.util.Optional;
import java.util.UUID;

/**
 * A credential set without its keys, whose values are never loaded with it; see {@code
 * docs/credentials.md}.
 */
@Entity
@Table(name = "credential_set")
public class CredentialSet extends PanacheEntityBase {
  @Id public UUID id;

  /** The organization that it belongs to, or whose repository it belongs to. */
  @Column(name = "org_id")
  public UUID orgId;

  /** Null if it belongs to the organization. */
  @Column(name = "repo_id")
  public UUID repoId;

  /** Unique within its repository, or among the sets that belong to the organization itself. */
  public String name;

  /** Null if it has none. */
  public String description;

  /** The install of the component that it belongs to; null if an account created it. */
  @Column(name = "install_id")
  public UUID installId;

  @Column(name = "created_at")
  public Instant createdAt;

  @Column(name = "updated_at")
  public Instant updatedAt;

  /** When it was revoked; null if it was not. */
  @Column(name = "revoked_at")
  public Instant revokedAt;

  /**
   * The set with a name.
   *
   * @param repoId null for a set of the organization
   */
  static Optional<CredentialSet> of(UUID orgId, UUID repoId, String name) {
    return find("orgId = ?1 and repoId is not distinct from ?2 and name = ?3", orgId, repoId, name)
        .firstResultOptional();
  }

  /**
   * How many sets a repository has, or the organization itself.
   *
   * @param repoId null for the organization
   */
  static long countIn(UUID orgId, UUID repoId) {
    return count("orgId = ?1 and repoId is not distinct from ?2", orgId, repoId);
  }

  /** Whether calls can no longer use it. */
  boolean isRevoked() {
    return revokedAt != null;
  }

  /** Writes its changes. */
  void save() {
    updatedAt = Instant.now();
    persistAndFlush();
  }
}
