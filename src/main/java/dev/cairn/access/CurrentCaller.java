package dev.cairn.access;

import dev.cairn.model.ErrorCode;
import dev.cairn.model.Problem;
import dev.cairn.platform.http.ClientAddress;
import io.quarkus.security.identity.SecurityIdentity;
import io.quarkus.vertx.http.runtime.CurrentVertxRequest;
import jakarta.enterprise.context.ApplicationScoped;
import java.time.Instant;

/** The caller of the current request. */
@ApplicationScoped
public class CurrentCaller {
  /** The attribute of a request's security identity that holds the {@link Caller}. */
  public static final String ATTRIBUTE = "cairn.caller";

  private final SecurityIdentity identity;
  private final CurrentVertxRequest request;
  private final ClientAddress addresses;
  private final TokenVerification verification;

  CurrentCaller(
      SecurityIdentity identity,
      CurrentVertxRequest request,
      ClientAddress addresses,
      TokenVerification verification) {
    this.identity = identity;
    this.request = request;
    this.addresses = addresses;
    this.verification = verification;
  }

  /** The caller; never null. */
  public Caller get() {
    Caller caller = identity.getAttribute(ATTRIBUTE);
    return caller == null
        ? new Caller.Anonymous(addresses.of(request.getCurrent().request()))
        : caller;
  }

  /**
   * Whether the caller's token has not been revoked and has not expired, and its session has not
   * ended, since the request began; also for a caller without a token. Reads the database.
   */
  public boolean isStillValid() {
    return verification.isStillValid(request.getCurrent());
  }

  /**
   * Refuses a caller whose token is not valid any longer, after the request has waited. Whether a
   * session was ended or a personal access token revoked is verified by the first query of each
   * read, so only their expiry is here.
   *
   * @throws Problem {@code UNAUTHENTICATED}
   */
  public void verifyAfterWait() {
    if (get() instanceof Caller.SignedIn account
        && (!isVerifiedByReads(account) || !account.token().expiresAt().isAfter(Instant.now()))) {
      verification.verifyAgain(request.getCurrent());
    }
  }

  private static boolean isVerifiedByReads(Caller.SignedIn account) {
    return account.sessionIdOrNull() != null || account.patNameOrNull() != null;
  }

  /** The account that calls; without one the request is {@code UNAUTHENTICATED}. */
  public Caller.SignedIn account() {
    return switch (get()) {
      case Caller.SignedIn account -> account;
      case Caller.Anonymous _ ->
          throw Problem.of(
              ErrorCode.UNAUTHENTICATED, "This needs `Authorization: Bearer <token>`.");
    };
  }

  /**
   * The account, if it calls with an unrestricted token of its own sign-in; any other token is
   * {@code FORBIDDEN}. Required to manage tokens and passwords: a restricted token must not create
   * an unrestricted one, and a program that acts for the account must not create a token that
   * outlives its grant.
   */
  public Caller.SignedIn session() {
    var account = account();
    if (account.token() instanceof Caller.AccessToken access && access.isSignIn()) {
      return account;
    }
    throw Problem.of(
            ErrorCode.FORBIDDEN,
            "Tokens, sessions, the password and the account's audit log require an interactive sign-in.")
        .hint("Sign in by POST /api/auth/login and use its access token.");
  }

  /** The account, if no scope narrows its token; any other token is {@code FORBIDDEN}. */
  public Caller.SignedIn unrestricted() {
    var account = account();
    if (account.token().scopes().isUnrestricted()) {
      return account;
    }
    throw Problem.of(ErrorCode.FORBIDDEN, "A token that is narrowed by scopes may not do this.")
        .hint("Use a token without scopes.");
  }
}
