package dev.cairn.tenant;

import io.quarkus.hibernate.orm.panache.PanacheEntityBase;
import jakarta.persistence.Column;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import java.time.Instant;
import java.util.UUID;

/** What holds shapes, things and assertions. */
@Entity
public class Repository extends PanacheEntityBase {
  @Id public UUID id;

  @Column(name = "org_id")
  public UUID orgId;

  /** In lower case; unique within the organization. */
  public String name;

  public String description;

  /** {@code public} or {@code private}. */
  public String visibility;

  /** JSON text of the repository's settings. */
  public String settings;

  /**
   * The account that notifications are sent for: the last one that changed where. Null if nobody
   * has, or if that account lost the right to it.
   */
  @Column(name = "notifications_principal_id")
  public UUID notificationsPrincipalId;

  /** When it was archived; null while it takes writes. */
  @Column(name = "archived_at")
  public Instant archivedAt;

  @Column(name = "created_at")
  public Instant createdAt;

  @Column(name = "updated_at")
  public Instant updatedAt;
}
