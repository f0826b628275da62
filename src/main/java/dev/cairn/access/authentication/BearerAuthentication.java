package dev.cairn.access.authentication;

import dev.cairn.access.Authorizer;
import dev.cairn.access.Caller;
import dev.cairn.access.CurrentCaller;
import dev.cairn.access.TokenVerification;
import dev.cairn.access.session.Sessions;
import dev.cairn.access.token.PersonalAccessTokens;
import dev.cairn.access.token.ServiceTokens;
import dev.cairn.model.ErrorCode;
import dev.cairn.model.Problem;
import dev.cairn.platform.http.BaseUrl;
import dev.cairn.platform.http.ClientAddress;
import dev.cairn.platform.http.ProblemDocument;
import dev.cairn.platform.memory.ArrivingBodies;
import io.quarkus.security.AuthenticationFailedException;
import io.quarkus.security.identity.IdentityProviderManager;
import io.quarkus.security.identity.SecurityIdentity;
import io.quarkus.security.identity.request.AnonymousAuthenticationRequest;
import io.quarkus.security.identity.request.AuthenticationRequest;
import io.quarkus.security.runtime.QuarkusPrincipal;
import io.quarkus.security.runtime.QuarkusSecurityIdentity;
import io.quarkus.vertx.http.runtime.security.ChallengeData;
import io.quarkus.vertx.http.runtime.security.HttpAuthenticationMechanism;
import io.quarkus.vertx.http.runtime.security.QuarkusHttpUser;
import io.smallrye.mutiny.Uni;
import io.vertx.ext.web.RoutingContext;
import jakarta.annotation.Priority;
import jakarta.enterprise.context.ApplicationScoped;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * Reads {@code Authorization: Bearer}. Without the header the caller is anonymous. A header without
 * a valid token, or a second header, is always 401, whatever the path, so that nobody continues
 * with an expired token without noticing.
 */
@ApplicationScoped
@Priority(1)
class BearerAuthentication implements HttpAuthenticationMechanism, TokenVerification {
  /** The path that takes the operator's token instead of an account's. */
  private static final String OPERATORS = "/internal/tick";

  /** The paths whose clients discover by themselves how to sign in. */
  private static final String MCP = "/mcp(/.*)?";

  /** Paths that the {@link Authorizer} authorizes, which also checks the session. */
  private static final Pattern REPOSITORY = Pattern.compile("/api/repos/[^/]+/[^/]+(/.*)?");

  private static final String INVALID = "invalid_token";
  private static final String SCHEME = "bearer ";

  private final AccessTokens accessTokens;
  private final Sessions sessions;
  private final ExternalIssuer externalIssuer;
  private final PersonalAccessTokens personalAccessTokens;
  private final ServiceTokens serviceTokens;
  private final BaseUrl baseUrl;
  private final ClientAddress addresses;
  private final TokenWorkers workers;

  BearerAuthentication(
      AccessTokens accessTokens,
      Sessions sessions,
      ExternalIssuer externalIssuer,
      PersonalAccessTokens personalAccessTokens,
      ServiceTokens serviceTokens,
      BaseUrl baseUrl,
      ClientAddress addresses,
      TokenWorkers workers) {
    this.accessTokens = accessTokens;
    this.sessions = sessions;
    this.externalIssuer = externalIssuer;
    this.personalAccessTokens = personalAccessTokens;
    this.serviceTokens = serviceTokens;
    this.baseUrl = baseUrl;
    this.addresses = addresses;
    this.workers = workers;
  }

  @Override
  public Uni<SecurityIdentity> authenticate(
      RoutingContext context, IdentityProviderManager identityProviders) {
    var headers = context.request().headers().getAll("Authorization");
    if (headers.isEmpty()) {
      return Uni.createFrom().nullItem();
    }
    if (headers.size() > 1) {
      // A proxy in front of the service may have checked the other header.
      return Uni.createFrom().failure(new AuthenticationFailedException());
    }
    if (context.normalizedPath().equals(OPERATORS)) {
      // Nobody known, or others would look at the token.
      return identityProviders.authenticate(AnonymousAuthenticationRequest.INSTANCE);
    }
    var header = headers.getFirst();
    var address = addresses.of(context.request());
    if (!header.regionMatches(true, 0, SCHEME, 0, SCHEME.length())) {
      return Uni.createFrom().failure(new AuthenticationFailedException());
    }
    var token = token(header);
    return known(token, address)
        .filter(_ -> isAuthorizedLater(context))
        .map(known -> Uni.createFrom().item(unconfirmed(context, known)))
        .orElseGet(() -> verified(context, token, address));
  }

  /** Without a query: what the token itself does not contain is verified later. */
  private Optional<Caller> known(String token, String address) {
    return PersonalAccessTokens.hasFormat(token)
        ? personalAccessTokens.known(token, address)
        : accessTokens.known(token, address);
  }

  private static String token(String header) {
    return header.substring(SCHEME.length()).trim();
  }

  @Override
  public void verifyAgain(RoutingContext context) {
    if (!isStillValid(context)) {
      throw refusal(context);
    }
    context.remove(UNCONFIRMED);
  }

  @Override
  public Problem refusal(RoutingContext context) {
    putChallenge(context);
    return invalid();
  }

  @Override
  public boolean isStillValid(RoutingContext context) {
    if (!(context.user() instanceof QuarkusHttpUser user)
        || user.getSecurityIdentity().isAnonymous()) {
      return true;
    }
    var token = token(context.request().getHeader("Authorization"));
    return verify(token, addresses.of(context.request())).filter(sessions::isLive).isPresent();
  }

  /** Verifies a token on another thread, since the event loop must not query the database. */
  private Uni<SecurityIdentity> verified(RoutingContext context, String token, String address) {
    var identity =
        workers.execute(
            context,
            () ->
                verify(token, address)
                    .flatMap(caller -> withSession(context, caller))
                    .orElseThrow(AuthenticationFailedException::new));
    return Uni.createFrom().completionStage(identity.toCompletionStage());
  }

  /** Whether the {@link Authorizer} checks the session, which saves a round trip here. */
  private static boolean isAuthorizedLater(RoutingContext context) {
    return REPOSITORY.matcher(context.request().path()).matches()
        && REPOSITORY.matcher(context.normalizedPath()).matches();
  }

  /** The caller of a token that is valid if its session is live. */
  private Optional<SecurityIdentity> withSession(RoutingContext context, Caller caller) {
    return isAuthorizedLater(context) && caller.sessionIdOrNull() != null
        ? Optional.of(unconfirmed(context, caller))
        : Optional.of(caller).filter(sessions::isLive).map(live -> identity(context, live));
  }

  /** A caller that is checked later, by {@link UnconfirmedTokens} if by nothing else. */
  private static SecurityIdentity unconfirmed(RoutingContext context, Caller caller) {
    context.put(UNCONFIRMED, true);
    return identity(context, caller);
  }

  private static SecurityIdentity identity(RoutingContext context, Caller caller) {
    if (caller instanceof Caller.SignedIn account && !account.token().scopes().isUnrestricted()) {
      // Each request may have a copy of its own; few are compiled at a time, by reads and commits.
      ArrivingBodies.keep(context, account.token().scopes().bytesOfTexts());
    }
    return QuarkusSecurityIdentity.builder()
        .setPrincipal(new QuarkusPrincipal(String.valueOf(caller.accountIdOrNull())))
        .addAttribute(CurrentCaller.ATTRIBUTE, caller)
        .build();
  }

  private Optional<Caller> verify(String token, String address) {
    if (PersonalAccessTokens.hasFormat(token)) {
      return personalAccessTokens.verify(token, address);
    }
    if (ServiceTokens.hasFormat(token)) {
      return serviceTokens.verify(token, address);
    }
    return externalIssuer.url().isPresent()
        ? externalIssuer.verify(token, address)
        : accessTokens.known(token, address).or(() -> accessTokens.verify(token, address));
  }

  @Override
  public Uni<ChallengeData> getChallenge(RoutingContext context) {
    return Uni.createFrom().item(new ChallengeData(401, "WWW-Authenticate", "Bearer"));
  }

  @Override
  public Uni<Boolean> sendChallenge(RoutingContext context) {
    putChallenge(context);
    ProblemDocument.end(context.response(), invalid());
    return Uni.createFrom().item(true);
  }

  private static Problem invalid() {
    return Problem.of(
            ErrorCode.UNAUTHENTICATED, "The token is not valid: expired, revoked, ended or wrong.")
        .hint("Sign in again, or leave the header out to read what is public.");
  }

  /** None if the answer has begun: then the refusal is within it. */
  private void putChallenge(RoutingContext context) {
    if (context.response().headWritten()) {
      return;
    }
    var header =
        context.normalizedPath().matches(MCP)
            ? baseUrl.challenge(context.request(), Optional.of(INVALID))
            : "Bearer error=\"" + INVALID + "\"";
    context.response().putHeader("WWW-Authenticate", header);
  }

  @Override
  public Set<Class<? extends AuthenticationRequest>> getCredentialTypes() {
    return Set.of();
  }
}
