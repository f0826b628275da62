package dev.cairn.access.authentication;

import dev.cairn.access.AccessMemory;
import dev.cairn.access.Caller;
import dev.cairn.access.Scopes;
import dev.cairn.access.session.Session;
import dev.cairn.access.session.Sessions;
import dev.cairn.platform.Base64Url;
import dev.cairn.platform.http.BaseUrl;
import io.smallrye.jwt.algorithm.SignatureAlgorithm;
import io.smallrye.jwt.auth.principal.JWTAuthContextInfo;
import io.smallrye.jwt.auth.principal.JWTParser;
import io.smallrye.jwt.auth.principal.ParseException;
import io.smallrye.jwt.build.Jwt;
import io.smallrye.jwt.build.JwtClaimsBuilder;
import jakarta.enterprise.context.ApplicationScoped;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import org.eclipse.microprofile.jwt.JsonWebToken;
import org.jose4j.jwx.JsonWebStructure;
import org.jose4j.lang.JoseException;

/**
 * Access tokens of the built-in issuer: JWTs signed with ES256, valid for an hour, but not longer
 * than the session that they name. Only signature and claims are verified here; the session must be
 * checked separately, see {@link Sessions}.
 */
@ApplicationScoped
public class AccessTokens {
  /** How long a token is valid. */
  public static final Duration LIFETIME = Duration.ofHours(1);

  /** Cairn's own OAuth client, whose tokens have the rights of a direct sign-in. */
  public static final String OWN_CLIENT = "cairn-cli";

  private static final String CLIENT = "client_id";
  private static final String NAME = "name";
  private static final String SCOPE = "scope";
  private static final String SESSION = "sid";

  private final SigningKeys keys;
  private final JWTParser parser;
  private final BaseUrl baseUrl;
  private final AccessMemory memory;
  private final VerifiedTokens verified = new VerifiedTokens();

  /**
   * The purpose for which a client gets a token.
   *
   * @param audience the base URL, or the URL of the MCP endpoint
   * @param scope names of permissions separated by spaces; null for a token that narrows nothing
   */
  public record Purpose(String audience, String clientId, String scope) {}

  AccessTokens(SigningKeys keys, JWTParser parser, BaseUrl baseUrl, AccessMemory memory) {
    this.keys = keys;
    this.parser = parser;
    this.baseUrl = baseUrl;
    this.memory = memory;
  }

  /**
   * A new token of a session for its client, issued by the service at {@code baseUrl}.
   *
   * @param sessionId a live session of the account
   */
  public String issue(
      Account account, UUID sessionId, String baseUrl, Purpose purpose, Instant now) {
    var claims =
        Jwt.issuer(baseUrl)
            .subject(account.id.toString())
            .audience(purpose.audience())
            .claim(NAME, account.displayName)
            .claim(SESSION, sessionId.toString())
            .claim(CLIENT, purpose.clientId())
            .issuedAt(now)
            .expiresAt(now.plus(LIFETIME));
    return sign(purpose.scope() == null ? claims : claims.claim(SCOPE, purpose.scope()));
  }

  private String sign(JwtClaimsBuilder claims) {
    var key = keys.current();
    return claims.jws().algorithm(SignatureAlgorithm.ES256).keyId(key.id()).sign(key.privateKey());
  }

  /** The caller of a token that was verified a moment ago, without a query and without waiting. */
  Optional<Caller> known(String token, String address) {
    return verified.known(token, Instant.now()).map(claims -> caller(claims, address));
  }

  /** The caller of a token; empty if it is not a valid token of this service. */
  public Optional<Caller> verify(String token, String address) {
    try {
      var now = Instant.now();
      var claims = keyOf(token, now).map(key -> parse(token, key)).filter(this::isOurs);
      var caller = claims.map(right -> caller(right, address));
      claims.ifPresent(right -> verified.keep(token, right, now));
      return caller;
    } catch (InvalidToken e) {
      return Optional.empty();
    }
  }

  private Optional<SigningKey> keyOf(String token, Instant now) {
    // The parser takes every text of base64 for the signature's bytes, which it does not cover.
    if (Base64Url.decode(token.substring(token.lastIndexOf('.') + 1)).isEmpty()) {
      return Optional.empty();
    }
    try {
      var header = JsonWebStructure.fromCompactSerialization(token);
      return header.getHeaders().getObjectHeaderValue("kid") instanceof String id
          ? keys.byId(id, now)
          : Optional.empty();
    } catch (JoseException e) {
      return Optional.empty();
    }
  }

  private JsonWebToken parse(String token, SigningKey key) {
    var rules = new JWTAuthContextInfo();
    rules.setPublicVerificationKey(key.publicKey());
    rules.setClockSkew(0);
    rules.setSignatureAlgorithm(Set.of(SignatureAlgorithm.ES256));
    rules.setRequiredClaims(Set.of("sub", "iss", "aud", "exp", SESSION, CLIENT));
    try {
      return parser.parse(token, rules);
    } catch (ParseException e) {
      throw new InvalidToken();
    }
  }

  /** Whether issuer and audience are this service; signature and expiry were checked before. */
  private boolean isOurs(JsonWebToken token) {
    var issuer = token.getIssuer();
    return baseUrl.isOwn(issuer) && isFor(token.getAudience(), issuer);
  }

  private static boolean isFor(Set<String> audience, String url) {
    return audience.contains(url) || audience.contains(url + "/mcp");
  }

  private Caller caller(JsonWebToken token, String address) {
    try {
      String client = token.getClaim(CLIENT);
      var session = UUID.fromString(token.getClaim(SESSION));
      return new Caller.SignedIn(
          UUID.fromString(token.getSubject()),
          token.getClaim(NAME),
          new Caller.AccessToken(
              session,
              isOwn(client) ? null : client,
              null,
              Scopes.ofClaim(token.getClaim(SCOPE)),
              isOwn(client),
              Instant.ofEpochSecond(token.getExpirationTime())),
          address,
          memory.liveSession(session));
    } catch (IllegalArgumentException e) {
      throw new InvalidToken();
    }
  }

  /** The session that a valid token of a client names; empty for any other text. */
  public Optional<UUID> session(String token, String clientId) {
    try {
      var now = Instant.now();
      return keyOf(token, now)
          .map(key -> parse(token, key))
          .filter(claims -> isOurs(claims) && clientId.equals(claims.getClaim(CLIENT)))
          .map(claims -> UUID.fromString(claims.getClaim(SESSION)));
    } catch (InvalidToken | IllegalArgumentException e) {
      return Optional.empty();
    }
  }

  private static boolean isOwn(String client) {
    return client.equals(OWN_CLIENT) || client.equals(Session.SIGN_IN);
  }

  private static final class InvalidToken extends RuntimeException {
    private static final long serialVersionUID = 1L;
  }
}
