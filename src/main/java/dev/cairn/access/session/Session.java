package dev.cairn.access.session;

import dev.cairn.platform.Ids;
import java.util.Locale;
import java.util.UUID;

/**
 * A sign-in, to which its tokens belong. Except for those in a browser, sessions are grants to an
 * OAuth client; a sign-in by password is one to a built-in client. See {@code docs/access.md},
 * Sessions.
 *
 * @param clientId the client; null for a browser, which has a cookie instead of tokens
 * @param scope names of permissions separated by spaces; null for all permissions of the account
 * @param resource the resource of the access tokens; null if the client did not name one
 */
public record Session(UUID id, UUID accountId, String clientId, String scope, String resource) {
  /**
   * The built-in client of sign-ins by e-mail address and password. It cannot use the OAuth
   * endpoints, where this client id is unknown.
   */
  public static final String SIGN_IN = "sign-in";

  private static final String BROWSER = "browser";

  /** Why a session ended. */
  public enum Ending {
    /** Its own client or browser signed out. */
    SIGNED_OUT,
    /** Its account ended it. */
    ENDED_BY_ACCOUNT,
    /** A client revoked it. */
    REVOKED,
    /** A refresh token was used a second time, so it was copied. */
    REFRESH_TOKEN_REUSED,
    /** An authorization code was used a second time, so it was copied. */
    CODE_REUSED,
    /** The same browser signed in again. */
    REPLACED;

    String wire() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /** A new one by e-mail address and password. */
  public static Session signIn(UUID accountId) {
    return new Session(Ids.next(), accountId, SIGN_IN, null, null);
  }

  /** A new one in a browser. */
  public static Session browser(UUID accountId) {
    return new Session(Ids.next(), accountId, null, null, null);
  }

  /** How it began: {@code sign-in}, {@code browser}, or {@code grant} for other clients. */
  String kind() {
    return isGrant() ? "grant" : label();
  }

  /** Whether an account consented to a client. */
  boolean isGrant() {
    return clientId != null && !clientId.equals(SIGN_IN);
  }

  /** Its name in audit logs. */
  String label() {
    return clientId == null ? BROWSER : clientId;
  }
}
