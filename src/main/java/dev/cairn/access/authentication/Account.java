package dev.cairn.access.authentication;

import dev.cairn.access.EmailAddress;
import io.quarkus.hibernate.orm.panache.PanacheEntityBase;
import jakarta.persistence.Column;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import java.time.Instant;
import java.util.Optional;
import java.util.UUID;

/** A person or a program that can sign in. */
@Entity
public class Account extends PanacheEntityBase {
  @Id public UUID id;

  /** As {@link EmailAddress} reads it; unique. */
  public String email;

  @Column(name = "display_name")
  public String displayName;

  /** Argon2id in PHC string form; null if an external issuer signs it in. */
  @Column(name = "password_hash")
  public String passwordHash;

  /** The external issuer that signs it in; null for this service itself. */
  public String issuer;

  /** The subject that the issuer knows it by; null if {@link #issuer} is. */
  public String subject;

  @Column(name = "created_at")
  public Instant createdAt;

  /** Whether the service itself created it, at its first start; one at most. */
  @Column(name = "is_administrator")
  public boolean isAdministrator;

  /** The account that an external issuer knows by a subject. */
  static Optional<Account> byIdentity(String issuer, String subject) {
    return find("issuer = ?1 and subject = ?2", issuer, subject).firstResultOptional();
  }

  /** The account of an e-mail address, in whatever case A to Z are given. */
  public static Optional<Account> byEmail(String email) {
    return find("email", EmailAddress.folded(email)).firstResultOptional();
  }
}
