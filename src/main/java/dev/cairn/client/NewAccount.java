package dev.cairn.client;

/**
 * A new account.
 *
 * @param email the e-mail address; case does not matter
 * @param password the password
 * @param displayName the author's name in commits; by default the address up to the {@code @}; null
 *     if absent
 */
public record NewAccount(String email, String password, @Nullable String displayName) {
  /** Without secrets. */
  @Override
  public String toString() {
    return "NewAccount[email=" + email + ", displayName=" + displayName + "]";
  }
}
