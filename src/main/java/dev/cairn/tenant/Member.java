package dev.cairn.tenant;

import io.quarkus.hibernate.orm.panache.PanacheEntityBase;
import jakarta.persistence.Column;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import jakarta.persistence.IdClass;
import java.io.Serializable;
import java.time.Instant;
import java.util.UUID;

/** An account's role in an organization. */
@Entity
@IdClass(Member.Key.class)
public class Member extends PanacheEntityBase {
  @Id
  @Column(name = "org_id")
  public UUID orgId;

  @Id
  @Column(name = "account_id")
  public UUID accountId;

  /** The wire name of a {@link dev.cairn.access.Role}. */
  public String role;

  @Column(name = "created_at")
  public Instant createdAt;

  /** What identifies a member. */
  public record Key(UUID orgId, UUID accountId) implements Serializable {}
}
