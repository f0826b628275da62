package dev.cairn.tenant;

import io.quarkus.hibernate.orm.panache.PanacheEntityBase;
import jakarta.persistence.Column;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import java.time.Instant;
import java.util.UUID;

/** Who holds repositories. */
@Entity
public class Organization extends PanacheEntityBase {
  @Id public UUID id;

  /** In lower case; unique. */
  public String name;

  @Column(name = "display_name")
  public String displayName;

  public String description;

  /** Whether it was made with an account, for that account. */
  public boolean personal;

  /** Whether the service itself created it, for the demo repository. */
  @Column(name = "is_demo")
  public boolean demo;

  /** The account in whose quota it counts; null if that account is deleted or unknown. */
  @Column(name = "creator_id")
  public UUID creatorId;

  /** When it was archived; null while it takes writes. */
  @Column(name = "archived_at")
  public Instant archivedAt;

  @Column(name = "created_at")
  public Instant createdAt;
}
