package dev.cairn.oauth;

import com.nimbusds.oauth2.sdk.AccessTokenResponse;
import com.nimbusds.oauth2.sdk.AuthorizationCodeGrant;
import com.nimbusds.oauth2.sdk.OAuth2Error;
import com.nimbusds.oauth2.sdk.RefreshTokenGrant;
import com.nimbusds.oauth2.sdk.Scope;
import com.nimbusds.oauth2.sdk.TokenRequest;
import com.nimbusds.oauth2.sdk.device.DeviceCodeGrant;
import com.nimbusds.oauth2.sdk.token.BearerAccessToken;
import com.nimbusds.oauth2.sdk.token.RefreshToken;
import com.nimbusds.oauth2.sdk.token.Tokens;
import dev.cairn.access.authentication.AccessTokens;
import dev.cairn.access.authentication.Accounts;
import dev.cairn.access.limit.CredentialLimiter;
import dev.cairn.access.session.RefreshTokens;
import dev.cairn.access.session.Session;
import jakarta.enterprise.context.ApplicationScoped;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;

/** Issues tokens for codes, refresh tokens and device codes. */
@ApplicationScoped
class TokenService {
  private final CredentialLimiter credentialLimiter;
  private final Codes codes;
  private final Devices devices;
  private final RefreshTokens refreshTokens;
  private final Clients clients;
  private final Accounts accounts;
  private final AccessTokens accessTokens;

  /** A session with its next refresh token, and the granted scope of the access token. */
  private record Granted(Session session, String refreshToken, GrantScope grantScope) {}

  TokenService(
      CredentialLimiter credentialLimiter,
      Codes codes,
      Devices devices,
      RefreshTokens refreshTokens,
      Clients clients,
      Accounts accounts,
      AccessTokens accessTokens) {
    this.credentialLimiter = credentialLimiter;
    this.codes = codes;
    this.devices = devices;
    this.refreshTokens = refreshTokens;
    this.clients = clients;
    this.accounts = accounts;
    this.accessTokens = accessTokens;
  }

  /**
   * Answers the token request of a client to the service at {@code base}.
   *
   * @param address the network address of the client
   */
  AccessTokenResponse exchange(TokenRequest request, Client client, String address, String base) {
    var now = Instant.now();
    Supplier<GrantScope> requested =
        () -> GrantScope.requested(request.getScope(), request.getResources(), base);
    var granted =
        switch (request.getAuthorizationGrant()) {
          case AuthorizationCodeGrant code -> byCode(code, client, requested, address, now);
          case RefreshTokenGrant token ->
              byRefreshToken(token, client, requested.get(), address, now);
          case DeviceCodeGrant device -> byDevice(device, client, requested.get(), address, now);
          default -> throw new OAuthError(OAuth2Error.UNSUPPORTED_GRANT_TYPE);
        };
    clients.used(client.id(), now);
    return answer(granted, base, now);
  }

  private Granted byCode(
      AuthorizationCodeGrant request,
      Client client,
      Supplier<GrantScope> requested,
      String address,
      Instant now) {
    var proof =
        new Codes.Proof(client.id(), request.getRedirectionURI(), request.getCodeVerifier());
    var code = request.getAuthorizationCode().getValue();
    return unlessRefused(
        code,
        address,
        () ->
            codes
                .redeem(code, proof, address, now)
                .map(session -> begin(session, requested.get(), address, now))
                .orElseThrow(
                    () -> invalidGrant("The code is not valid: expired, used before, or wrong.")));
  }

  private Granted byRefreshToken(
      RefreshTokenGrant request, Client client, GrantScope requested, String address, Instant now) {
    var token = request.getRefreshToken().getValue();
    return credentialLimiter
        .ofAddress(
            token,
            address,
            () ->
                // If the scope is too wide, the transaction is rolled back and the token stays
                // valid.
                refreshTokens
                    .renew(token, client.id(), address, now)
                    .map(
                        r ->
                            new Granted(
                                r.session(), r.refreshToken(), narrowed(r.session(), requested))))
        .orElseThrow(
            () -> invalidGrant("The refresh token is not valid: expired, used before, or wrong."));
  }

  private Granted byDevice(
      DeviceCodeGrant request, Client client, GrantScope requested, String address, Instant now) {
    var code = request.getDeviceCode().getValue();
    return unlessRefused(
        code,
        address,
        () -> {
          var answer = devices.poll(code, client.id(), now);
          if (answer.session() == null) {
            throw new OAuthError(answer.refusal());
          }
          return begin(answer.session(), requested, address, now);
        });
  }

  /** A refusal counts as a use, so it must not roll back the transaction. */
  private Granted unlessRefused(String code, String address, Supplier<Granted> use) {
    var refusal = new AtomicReference<OAuthError>();
    var granted =
        credentialLimiter.ofAddress(
            code,
            address,
            () -> {
              try {
                return Optional.of(use.get());
              } catch (OAuthError e) {
                refusal.set(e);
                return Optional.<Granted>empty();
              }
            });
    return granted.orElseThrow(refusal::get);
  }

  private Granted begin(Session session, GrantScope requested, String address, Instant now) {
    var grantScope = narrowed(session, requested);
    return new Granted(session, refreshTokens.begin(session, address, now), grantScope);
  }

  private static GrantScope narrowed(Session session, GrantScope requested) {
    return GrantScope.of(session).narrowed(requested);
  }

  private AccessTokenResponse answer(Granted granted, String base, Instant now) {
    var grantScope = granted.grantScope();
    var purpose =
        new AccessTokens.Purpose(
            grantScope.resource() == null ? base : grantScope.resource(),
            granted.session().clientId(),
            grantScope.scope());
    var session = granted.session();
    var token =
        accessTokens.issue(accounts.byId(session.accountId()), session.id(), base, purpose, now);
    return new AccessTokenResponse(
        new Tokens(
            new BearerAccessToken(
                token, AccessTokens.LIFETIME.toSeconds(), Scope.parse(grantScope.scope())),
            new RefreshToken(granted.refreshToken())));
  }

  private static OAuthError invalidGrant(String description) {
    return OAuthError.of(OAuth2Error.INVALID_GRANT, description);
  }
}
