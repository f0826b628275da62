package dev.cairn.access;

import jakarta.enterprise.context.ApplicationScoped;
import org.springframework.security.crypto.argon2.Argon2PasswordEncoder;

/** Argon2id, with 19 MiB, two passes and one lane, as OWASP recommends for interactive sign-in. */
@ApplicationScoped
class PasswordHashing {
  private final Argon2PasswordEncoder encoder = new Argon2PasswordEncoder(16, 32, 1, 19_456, 2);

  /** Compared with where there is no account, so that both cases take the same time. */
  private final String nobody = encoder.encode("no account has this password");

  /** The PHC string of a password. */
  String hash(String password) {
    return encoder.encode(password);
  }

  /** Whether the password is the hash's; takes as long, and says no, where the hash is null. */
  boolean matches(String password, String hash) {
    var found = encoder.matches(password, hash == null ? nobody : hash);
    return found && hash != null;
  }
}
