package dev.cairn.access;

import dev.cairn.model.ErrorCode;
import dev.cairn.model.Problem;
import dev.cairn.platform.http.NetworkAddress;
import java.time.Duration;
import java.time.Instant;
import java.util.UUID;

/** The sender of a request: anonymous, or an account with a token. */
public sealed interface Caller {
  /** The network address that the request came from; null if the service itself acts. */
  String address();

  /** A caller without credentials. */
  record Anonymous(String address) implements Caller {}

  /**
   * Signed in.
   *
   * @param accountId the account
   * @param displayName its name at sign-in; the default author of its commits
   * @param token the token that it sent
   * @param accessVersion the version of the account at which the token was found valid; null if
   *     that is not cached
   */
  record SignedIn(
      UUID accountId, String displayName, Token token, String address, Long accessVersion)
      implements Caller {

    /** A caller with a token that is not cached. */
    public SignedIn(UUID accountId, String displayName, Token token, String address) {
      this(accountId, displayName, token, address, null);
    }

    /**
     * Refuses a token that is {@linkplain Token#isDelegated delegated}.
     *
     * @param action what it may not do and why, as the end of the sentence of {@link
     *     #delegatedMayNot}
     * @throws Problem {@code FORBIDDEN}
     */
    public void refuseDelegated(String action) {
      if (token.isDelegated()) {
        throw Problem.of(ErrorCode.FORBIDDEN, delegatedMayNot(action))
            .hint("Use an access token of your own sign-in, or a personal access token.");
      }
    }

    /**
     * A sentence about what delegated tokens may not do.
     *
     * @param action its end, with the full stop
     */
    public static String delegatedMayNot(String action) {
      return "Tokens of sprites, of components and of OAuth programs may not " + action;
    }

    /** The name of the personal access token, by which the account knows it; null without one. */
    String patNameOrNull() {
      return switch (token) {
        case PersonalAccessToken pat -> pat.name();
        case Ticket ticket -> ticket.pat();
        case AccessToken _, ServiceToken _, ComponentToken _ -> null;
      };
    }

    /** The OAuth client that acts for the account; null without one. */
    public String clientIdOrNull() {
      return token instanceof AccessToken access ? access.clientId() : null;
    }

    /**
     * Whether the caller may create a token that outlives its own: only the account itself may, in
     * a live session of this service, or within 15 minutes of a sign-in at an external issuer.
     */
    public boolean mayMakeTokens(Instant now) {
      return token instanceof AccessToken access && access.isOfLiveSignIn(now);
    }

    /** The run whose service token this is; null for any other token. */
    UUID runIdOrNull() {
      return switch (token) {
        case ServiceToken service -> service.runId();
        case Ticket ticket -> ticket.runId();
        case AccessToken _, PersonalAccessToken _, ComponentToken _ -> null;
      };
    }

    /** The hash of the component token that this is, in hexadecimal; null for any other token. */
    String componentTokenOrNull() {
      return switch (token) {
        case ComponentToken component -> component.hash();
        case Ticket ticket -> ticket.componentToken();
        case AccessToken _, PersonalAccessToken _, ServiceToken _ -> null;
      };
    }
  }

  /** The token that identifies the sender of a request. */
  sealed interface Token {
    /** The scopes, to which the rights of the account are narrowed. */
    Scopes scopes();

    /**
     * The moment from which it is refused as expired; null if the service itself acts, and for a
     * consent in a browser. For a token of an external issuer, that is the configured clock skew
     * after its {@code exp}.
     */
    Instant expiresAt();

    /**
     * Whether it acts for its account only for a limited time or purpose: tokens of sprites, of
     * components, and of programs that the account consented to. Nothing that acts for an account
     * without a time limit, such as a subscription, can be created with one.
     */
    default boolean isDelegated() {
      return switch (this) {
        case AccessToken access -> !access.isOwn();
        case PersonalAccessToken _ -> false;
        case ServiceToken _, ComponentToken _, Ticket _ -> true;
      };
    }

    /** The name by which the account knows it; null for a sign-in. */
    default String nameOrNull() {
      return switch (this) {
        case AccessToken _ -> null;
        case Ticket ticket -> ticket.pat();
        case PersonalAccessToken pat -> pat.name();
        case ServiceToken service -> service.name();
        case ComponentToken component -> component.name();
      };
    }
  }

  /**
   * The access token of an interactive sign-in.
   *
   * @param sessionId the {@code Session} that it belongs to; null for a token of an external
   *     issuer, and if the service itself acts
   * @param clientId the OAuth client that acts for the account; null for the account's own sign-in,
   *     for Cairn's own client, and for a token of an external issuer
   * @param signedInAt when the person signed in, according to an external issuer; null if it does
   *     not say, and for tokens of this service
   * @param scopes has entries only if an OAuth client requested a scope
   * @param isOwn whether the account itself holds it, by its own sign-in or Cairn's own client,
   *     rather than a program that acts on its behalf
   */
  record AccessToken(
      UUID sessionId,
      String clientId,
      Instant signedInAt,
      Scopes scopes,
      boolean isOwn,
      Instant expiresAt)
      implements Token {
    /** How long ago the person may have signed in at an external issuer. */
    private static final Duration MAX_SIGN_IN_AGE = Duration.ofMinutes(15);

    /** Whether it is unrestricted, and the account itself holds it. */
    boolean isSignIn() {
      return isOwn && scopes.isUnrestricted();
    }

    /**
     * Whether the sign-in that it is from can be ended, or is recent: a token of an external issuer
     * cannot be ended, so a stolen one must not be turned into one that lasts a year.
     */
    boolean isOfLiveSignIn(Instant now) {
      return isSignIn()
          && (sessionId != null
              || (signedInAt != null && !signedInAt.isBefore(now.minus(MAX_SIGN_IN_AGE))));
    }
  }

  /** A personal access token. */
  record PersonalAccessToken(String name, Scopes scopes, Instant expiresAt) implements Token {}

  /**
   * The token of an attempt at a run, which acts on behalf of its subscription's principal.
   *
   * @param name the name of the subscription
   * @param traceId the trace of the run, which the runs that it causes continue
   * @param depth how many runs deep in that trace the run is
   * @param hash the SHA-256 of the token in hexadecimal, by which it is looked up again
   * @param scopes entries for the run's repository alone; there is at least one
   */
  record ServiceToken(
      String name,
      UUID runId,
      UUID traceId,
      int depth,
      String hash,
      Scopes scopes,
      Instant expiresAt)
      implements Token {

    /** Refuses unrestricted scopes. */
    public ServiceToken {
      if (scopes.isUnrestricted()) {
        throw new IllegalArgumentException("a service token has scopes");
      }
    }
  }

  /**
   * The token of a component that is installed in a repository, which acts on behalf of the account
   * that installed it.
   *
   * @param name the component, as {@code org/name}
   * @param installId the install in the repository
   * @param hash the SHA-256 of the token in hexadecimal, by which it is looked up again
   * @param scopes entries for that repository alone; there is at least one
   */
  record ComponentToken(String name, UUID installId, String hash, Scopes scopes, Instant expiresAt)
      implements Token {

    /** Refuses unrestricted scopes. */
    public ComponentToken {
      if (scopes.isUnrestricted()) {
        throw new IllegalArgumentException("a component token has scopes");
      }
    }
  }

  /**
   * A ticket for live updates of a repository. It is valid as long as the token that it was issued
   * to, one part of which is not null.
   *
   * @param pat the name of that personal access token, or null
   * @param runId the run of that service token, or null
   * @param sessionId the session of that access token, or null
   * @param componentToken the hash of that component token in hexadecimal, or null
   * @param scopes {@code repo:read} of the repository alone, narrowed as that token is
   * @param expiresAt when that token expires
   */
  record Ticket(
      String pat,
      UUID runId,
      UUID sessionId,
      String componentToken,
      Scopes scopes,
      Instant expiresAt)
      implements Token {}

  /** The service itself on behalf of an account, as at its first start. */
  static SignedIn service(UUID accountId, String displayName) {
    return new SignedIn(
        accountId,
        displayName,
        new AccessToken(null, null, null, Scopes.UNRESTRICTED, true, null),
        null);
  }

  /**
   * An account that consents in a browser to what a client requests.
   *
   * @param scope names of permissions separated by spaces; null for no restriction
   */
  static SignedIn agreeing(UUID accountId, String scope, String address) {
    return new SignedIn(
        accountId,
        null,
        new AccessToken(null, null, null, Scopes.ofClaim(scope), false, null),
        address);
  }

  /** The session that the caller's token belongs to; null for any other token. */
  default UUID sessionIdOrNull() {
    return this instanceof SignedIn account
        ? switch (account.token()) {
          case AccessToken access -> access.sessionId();
          case Ticket ticket -> ticket.sessionId();
          case PersonalAccessToken _, ServiceToken _, ComponentToken _ -> null;
        }
        : null;
  }

  /** The key of limits: the account, or the network address of a caller without credentials. */
  default String limitKey() {
    return switch (this) {
      case SignedIn account -> account.accountId().toString();
      case Anonymous nobody -> NetworkAddress.network(nobody.address());
    };
  }

  /** The account's id; null for an anonymous caller. */
  default UUID accountIdOrNull() {
    return this instanceof SignedIn account ? account.accountId() : null;
  }
}
