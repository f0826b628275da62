package dev.cairn.access.authentication;

import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.cairn.access.Caller;
import dev.cairn.access.Scopes;
import dev.cairn.model.Problem;
import dev.cairn.platform.CairnConfig;
import dev.cairn.platform.StartupCheck;
import dev.cairn.platform.database.Database;
import io.quarkus.arc.Unremovable;
import io.smallrye.jwt.auth.principal.JWTParser;
import io.smallrye.jwt.auth.principal.ParseException;
import jakarta.enterprise.context.ApplicationScoped;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.eclipse.microprofile.config.inject.ConfigProperty;
import org.eclipse.microprofile.jwt.JsonWebToken;

/**
 * The issuer that signs people in instead of this service, if {@code mp.jwt.verify.issuer} names
 * one and {@code mp.jwt.verify.publickey.location} its key set. Its tokens are verified by SmallRye
 * JWT with the settings {@code mp.jwt.verify.*}; a person without an account gets one at the first
 * token. See {@code docs/access.md}, External issuer.
 */
@ApplicationScoped
@Unremovable
public class ExternalIssuer implements StartupCheck {
  /** The end of the year 9999. */
  private static final long LAST_SECOND = 253_402_300_799L;

  private static final JsonMapper JSON = JsonMapper.builder().build();

  private final Database database;
  private final JWTParser parser;
  private final AccountRegistration registration;
  private final Optional<String> url;
  private final Optional<Set<String>> audiences;

  /** How much the clocks of the issuer and of this service may differ. */
  private final Duration clockSkew;

  private final List<String> faults;
  private final VerifiedTokens verified = new VerifiedTokens();
  private final KeySetLimiter keySet;

  ExternalIssuer(
      Database database,
      JWTParser parser,
      AccountRegistration registration,
      CairnConfig config,
      @ConfigProperty(name = "mp.jwt.verify.issuer") Optional<String> url,
      @ConfigProperty(name = "mp.jwt.verify.publickey.location") Optional<String> keySetUrl,
      @ConfigProperty(name = "mp.jwt.verify.audiences") Optional<Set<String>> audiences,
      @ConfigProperty(name = "mp.jwt.verify.clock.skew", defaultValue = "60") int clockSkew) {
    this.database = database;
    this.clockSkew = Duration.ofSeconds(clockSkew);
    this.parser = parser;
    this.registration = registration;
    this.url = keySetUrl.flatMap(_ -> url);
    this.audiences =
        audiences.or(() -> config.publicUrl().map(URI::toString).map(ExternalIssuer::ofService));
    this.keySet = new KeySetLimiter(TokenWorkers.threads(config));
    this.faults = faults(url.isPresent(), keySetUrl.isPresent(), this.audiences.isPresent());
  }

  private static List<String> faults(boolean issuer, boolean keySet, boolean audience) {
    var faults = new ArrayList<String>();
    if (issuer && !keySet) {
      faults.add(
          "mp.jwt.verify.publickey.location (MP_JWT_VERIFY_PUBLICKEY_LOCATION) is missing beside"
              + " mp.jwt.verify.issuer: the URL of the issuer's key set.");
    }
    if (keySet && !issuer) {
      faults.add(
          "mp.jwt.verify.issuer (MP_JWT_VERIFY_ISSUER) is missing beside"
              + " mp.jwt.verify.publickey.location.");
    }
    if (issuer && keySet && !audience) {
      faults.add(
          "mp.jwt.verify.audiences (MP_JWT_VERIFY_AUDIENCES) or cairn.public-url"
              + " (CAIRN_PUBLIC_URL) must say for whom the issuer's tokens are good here.");
    }
    return faults;
  }

  @Override
  public List<String> faults() {
    return faults;
  }

  private static Set<String> ofService(String publicUrl) {
    var base = publicUrl.endsWith("/") ? publicUrl.substring(0, publicUrl.length() - 1) : publicUrl;
    return Set.of(base, base + "/mcp");
  }

  /** The issuer's identifier; empty if this service signs people in itself. */
  public Optional<String> url() {
    return url;
  }

  /** Refuses paths of the built-in issuer: with an external issuer they do not exist. */
  public void refuseBuiltIn() {
    if (url.isPresent()) {
      throw Problem.notFound("There is nothing at this path.")
          .hint("Sign in at " + url.get() + ".");
    }
  }

  /** The caller of a token; empty if it is not a valid one of this issuer for this service. */
  Optional<Caller> verify(String token, String address) {
    return claims(token)
        .flatMap(
            claims ->
                ExternalIdentity.of(claims)
                    .map(
                        identity -> database.transaction(() -> caller(identity, claims, address))));
  }

  private Optional<JsonWebToken> claims(String token) {
    var now = Instant.now();
    return verified.known(token, now).or(() -> keySet.call(token, () -> parse(token, now)));
  }

  private Optional<JsonWebToken> parse(String token, Instant now) {
    try {
      var claims = Optional.of(parser.parse(token)).filter(this::isForUs);
      claims.ifPresent(right -> verified.keep(token, right, now));
      return claims;
    } catch (ParseException e) {
      return Optional.empty();
    }
  }

  /**
   * SmallRye accepts tokens without {@code sub}, {@code aud} or {@code exp}, and with times out of
   * range.
   */
  private boolean isForUs(JsonWebToken claims) {
    return claims.getExpirationTime() > 0
        && claims.getExpirationTime() <= LAST_SECOND
        && claims.getIssuedAtTime() >= 0
        && claims.getIssuedAtTime() <= LAST_SECOND
        && ScopeClaims.of(claims).isPresent()
        && url.filter(claims.getIssuer()::equals).isPresent()
        && claims.getAudience() != null
        && audiences.stream().flatMap(Set::stream).anyMatch(claims.getAudience()::contains);
  }

  /**
   * OpenID Connect's {@code auth_time}; null if the issuer does not send it, or sends an impossible
   * value, such as milliseconds.
   */
  private Instant signedInAt(JsonWebToken claims) {
    // As it was sent: SmallRye's value of a number of more than 64 bits is the rest of it.
    var payload = claims.getRawToken().split("\\.", -1)[1];
    try {
      var seconds = JSON.readTree(Base64.getUrlDecoder().decode(payload)).path("auth_time");
      long latest = Instant.now().plus(clockSkew).getEpochSecond();
      return seconds.isNumber() && seconds.doubleValue() > 0 && seconds.doubleValue() <= latest
          ? Instant.ofEpochSecond(seconds.longValue())
          : null;
    } catch (IOException | IllegalArgumentException _) {
      return null; // It cannot be read: as of an encrypted token, or a number of very many digits.
    }
  }

  private Caller caller(ExternalIdentity identity, JsonWebToken claims, String address) {
    var account =
        Account.byIdentity(identity.issuer(), identity.subject())
            .orElseGet(() -> registration.register(identity));
    var scopes = Scopes.ofForeignClaim(ScopeClaims.of(claims).orElseThrow());
    return new Caller.SignedIn(
        account.id,
        account.displayName,
        new Caller.AccessToken(
            null,
            null,
            signedInAt(claims),
            scopes,
            scopes.isUnrestricted(),
            Instant.ofEpochSecond(claims.getExpirationTime()).plus(clockSkew)),
        address);
  }
}
