package dev.cairn.access;

import jakarta.inject.Singleton;
import org.springframework.security.crypto.argon2.Argon2PasswordEncoder;

/** Argon2id, with 19 MiB, two passes and one lane, as OWASP recommends for interactive sign-in. */
@Singleton
class PasswordHashing {
  private final Argon2PasswordEncoder encoder = new Argon2PasswordEncoder(16, 32, 1, 19_456, 2);

  /**
   * Compared with where there is no account, so that both cases take the same time. It stands here,
   * since to compute it would double the time of a start; it is of the parameters above.
   */
  static final String NOBODY =
      "$argon2id$v=19$m=19456,t=2,p=1$PNC9zw7mn69i8f6bJ5oQZw$ilWtdA4G9P63BXuD1gR7zRQZkxj+CXuypIsOl/85r9o";

  /** The PHC string of a password. */
  String hash(String password) {
    return encoder.encode(password);
  }

  /** Whether the password is the hash's; takes as long, and says no, where the hash is null. */
  boolean matches(String password, String hash) {
    var found = encoder.matches(password, hash == null ? NOBODY : hash);
    return found && hash != null;
  }
}
