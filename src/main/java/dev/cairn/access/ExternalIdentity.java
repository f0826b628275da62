package dev.cairn.access;

import dev.cairn.model.Sha256;
import java.net.URI;
import java.util.HexFormat;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import org.eclipse.microprofile.jwt.JsonWebToken;

/**
 * Who an external issuer says somebody is.
 *
 * @param issuer the token's {@code iss}
 * @param subject its {@code sub}: with the issuer, what makes the account
 * @param verifiedEmail as accounts have it; empty where the issuer does not vouch for it
 * @param displayName what to call the account; never null
 */
public record ExternalIdentity(
    String issuer, String subject, Optional<String> verifiedEmail, String displayName) {
  private static final int PLACEHOLDER_DIGITS = 24;
  private static final int MAX_DISPLAY_NAME = 200;

  static ExternalIdentity of(JsonWebToken token) {
    String email = token.getClaim("email");
    boolean verified = "true".equals(String.valueOf(token.<Object>getClaim("email_verified")));
    var name =
        Optional.ofNullable(token.<String>getClaim("name"))
            .or(() -> Optional.ofNullable(token.getClaim("preferred_username")))
            .orElse(Objects.requireNonNullElse(email, token.getSubject()));
    return new ExternalIdentity(
        token.getIssuer(),
        token.getSubject(),
        Optional.ofNullable(email)
            .filter(_ -> verified)
            .flatMap(EmailAddress::read),
        name.substring(0, Math.min(name.length(), MAX_DISPLAY_NAME)));
  }

  /**
   * An address for who has no verified one, by which members can still be named. Nobody can be
   * invited under it by chance.
   */
  String placeholderEmail() {
    var digest = HexFormat.of().formatHex(Sha256.of(issuer + " " + subject));
    var host = Objects.requireNonNullElse(URI.create(issuer).getHost(), "issuer.invalid");
    return digest.substring(0, PLACEHOLDER_DIGITS) + "@" + host.toLowerCase(Locale.ROOT);
  }
}
