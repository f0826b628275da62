package dev.cairn.access;

import java.util.UUID;

/** Who sends a request: nobody known, or an account by an access token. */
public sealed interface Caller {
  /** Sent no credentials. */
  record Anonymous() implements Caller {}

  /**
   * Signed in.
   *
   * @param accountId the account
   * @param displayName its name at sign-in, the author of commits that name no other
   */
  record SignedIn(UUID accountId, String displayName) implements Caller {}

  /** The account's id, or null for nobody known. */
  default UUID accountIdOrNull() {
    return this instanceof SignedIn account ? account.accountId() : null;
  }
}
