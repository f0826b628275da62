package dev.cairn.access.authentication;

/**
 * Makes an account with all that goes with one. Above this package, which knows no organizations,
 * stands who implements it.
 */
public interface AccountRegistration {
  /**
   * An account of an external issuer, at first sight.
   *
   * @param identity who the issuer says it is
   */
  Account register(ExternalIdentity identity);
}
