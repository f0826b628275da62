package dev.cairn.access.authentication;

/**
 * Creates an account with everything that belongs to it, such as its personal organization. It is
 * implemented above this package, which knows no organizations.
 */
public interface AccountRegistration {
  /**
   * Creates the account of an external identity that signs in for the first time.
   *
   * @param identity as the issuer asserts it
   */
  Account register(ExternalIdentity identity);
}
