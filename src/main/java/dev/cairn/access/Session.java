package dev.cairn.access;

import dev.cairn.platform.Ids;
import java.util.Locale;
import java.util.UUID;

/**
 * A sign-in, which its tokens belong to. See {@code docs/access.md}, Sessions.
 *
 * @param clientId the OAuth client of a grant; null for the other kinds
 * @param scope names of permissions separated by spaces; null for all permissions of the account
 * @param resource what the access tokens of a grant are for; null if the client did not say
 */
public record Session(
    UUID id, UUID accountId, Kind kind, String clientId, String scope, String resource) {

  /** How a session began. */
  public enum Kind {
    /** By e-mail address and password, for scripts. */
    SIGN_IN("sign-in"),
    /** On the pages, in a browser. */
    BROWSER("browser"),
    /** By an account's consent to an OAuth client. */
    GRANT("grant");

    private final String wire;

    Kind(String wire) {
      this.wire = wire;
    }

    /** Its name in the database and in answers. */
    String wire() {
      return wire;
    }

    static Kind of(String wire) {
      return valueOf(wire.toUpperCase(Locale.ROOT).replace('-', '_'));
    }
  }

  /** Why a session ended. */
  public enum Ending {
    /** Its own client or browser signed out. */
    SIGNED_OUT,
    /** Its account ended it. */
    ENDED_BY_ACCOUNT,
    /** A client revoked it. */
    REVOKED,
    /** A refresh token came a second time: somebody has a copy. */
    REFRESH_TOKEN_REUSED,
    /** An authorization code came a second time: somebody has a copy. */
    CODE_REUSED,
    /** The same browser signed in again. */
    REPLACED;

    String wire() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /** A new one by e-mail address and password. */
  static Session signIn(UUID accountId) {
    return new Session(Ids.next(), accountId, Kind.SIGN_IN, null, null, null);
  }

  /** A new one in a browser. */
  static Session browser(UUID accountId) {
    return new Session(Ids.next(), accountId, Kind.BROWSER, null, null, null);
  }

  /** What an audit log calls it. */
  String label() {
    return clientId == null ? kind.wire() : clientId;
  }
}
