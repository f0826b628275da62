package dev.cairn.component;

import io.quarkus.hibernate.orm.panache.PanacheEntityBase;
import jakarta.persistence.Column;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import java.time.Instant;
import java.util.Optional;
import java.util.UUID;

/** A component that an organization registered; see {@code docs/components.md}, Registering. */
@Entity
public class Component extends PanacheEntityBase {
  static final String PUBLIC = "public";
  static final String PRIVATE = "private";

  @Id public UUID id;

  /** The organization that owns it. */
  @Column(name = "org_id")
  public UUID orgId;

  /** Unique among the registered components of the organization. */
  public String name;

  /** {@code public} or {@code private}. */
  public String visibility;

  /** What the setup call calls; null for none. */
  @Column(name = "setup_url")
  public String setupUrl;

  /** The set of the organization whose secrets the setup call sends; null for none. */
  @Column(name = "credential_set")
  public String credentialSet;

  /** The account that set the URL last; null for none, or if it was deleted. */
  @Column(name = "setup_url_by")
  public UUID setupUrlBy;

  /** The account that named the set last; null for none, or if it was deleted. */
  @Column(name = "credential_set_by")
  public UUID credentialSetBy;

  /** Whether installing it mints a token. */
  @Column(name = "mints_token")
  public boolean mintsToken;

  /** The number of its newest version, which counts from 1. */
  public int newest;

  @Column(name = "created_at")
  public Instant createdAt;

  @Column(name = "updated_at")
  public Instant updatedAt;

  /** When it was deregistered; null if it was not. */
  @Column(name = "deregistered_at")
  public Instant deregisteredAt;

  /** The registered component of a name. */
  static Optional<Component> of(UUID orgId, String name) {
    return find("orgId = ?1 and name = ?2 and deregisteredAt is null", orgId, name)
        .firstResultOptional();
  }

  /**
   * How many an organization has registered: others, that only remain because they are installed
   * somewhere, must not keep it from registering more.
   */
  static long countOf(UUID orgId) {
    return count("orgId = ?1 and deregisteredAt is null", orgId);
  }
}
