package dev.cairn.tenant;

import io.quarkus.hibernate.orm.panache.PanacheEntityBase;
import jakarta.persistence.Column;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import jakarta.persistence.IdClass;
import java.io.Serializable;
import java.time.Instant;
import java.util.UUID;

/** The role that an e-mail address without an account gets in an organization when it signs up. */
@Entity
@IdClass(Invitation.Key.class)
public class Invitation extends PanacheEntityBase {
  @Id
  @Column(name = "org_id")
  public UUID orgId;

  /** As {@link dev.cairn.access.EmailAddress} reads it. */
  @Id public String email;

  /** The wire name of a {@link dev.cairn.access.Role}. */
  public String role;

  /** The account that gave the role last. */
  @Column(name = "invited_by")
  public UUID invitedBy;

  @Column(name = "created_at")
  public Instant createdAt;

  /** What identifies an invitation. */
  public record Key(UUID orgId, String email) implements Serializable {}
}
