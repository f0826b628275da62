package dev.cairn.access.authentication;

import dev.cairn.access.EmailAddress;
import dev.cairn.model.Sha256;
import java.net.URI;
import java.util.HexFormat;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.eclipse.microprofile.jwt.JsonWebToken;

/**
 * The identity of a person, as an external issuer asserts it.
 *
 * @param issuer the token's {@code iss}
 * @param subject its {@code sub}, which identifies the account together with the issuer
 * @param verifiedEmail as accounts store it; empty if the issuer has not verified it
 * @param displayName the name of the account; never null
 */
public record ExternalIdentity(
    String issuer, String subject, Optional<String> verifiedEmail, String displayName) {
  private static final int PLACEHOLDER_DIGITS = 24;
  private static final int MAX_DISPLAY_NAME = 200;

  /** 1 to 255 characters, as OpenID Connect requires, and no control characters. */
  private static final Pattern SUBJECT = Pattern.compile("[^\\p{Cc}\\p{Cs}]{1,255}");

  /** Spaces, and characters that cannot be shown on one line. */
  private static final Pattern SPACE = Pattern.compile("[\\p{Cc}\\p{Cs}\\p{Z}]+");

  private static final Pattern VISIBLE = Pattern.compile("[\\p{L}\\p{N}\\p{P}\\p{S}]");

  /** The identity in a verified token; empty if its {@code sub} is not valid. */
  static Optional<ExternalIdentity> of(JsonWebToken token) {
    return text(token, "sub")
        .filter(subject -> SUBJECT.matcher(subject).matches() && isVisible(subject))
        .map(subject -> of(token, subject));
  }

  private static ExternalIdentity of(JsonWebToken token, String subject) {
    var email = text(token, "email");
    boolean verified = isTrue(token.getClaim("email_verified"));
    var name =
        Stream.of(text(token, "name"), text(token, "preferred_username"), email)
            .flatMap(Optional::stream)
            .map(ExternalIdentity::onOneLine)
            .filter(ExternalIdentity::isVisible)
            .findFirst()
            .orElseGet(() -> onOneLine(subject));
    return new ExternalIdentity(
        token.getIssuer(), subject, email.filter(_ -> verified).flatMap(EmailAddress::read), name);
  }

  /** A claim, if it is a string: the issuer may send any type. */
  private static Optional<String> text(JsonWebToken token, String claim) {
    return Optional.<Object>ofNullable(token.getClaim(claim))
        .filter(String.class::isInstance)
        .map(String.class::cast);
  }

  /** Whether a claim is the boolean {@code true}: {@code email_verified} must not be a string. */
  private static boolean isTrue(Object claim) {
    return !(claim instanceof String) && "true".equals(String.valueOf(claim));
  }

  private static boolean isVisible(String text) {
    return VISIBLE.matcher(text).find();
  }

  /** The name becomes the author of commits, which is on one line and never empty. */
  private static String onOneLine(String text) {
    var line = SPACE.matcher(text).replaceAll(" ").strip();
    return line.codePointCount(0, line.length()) > MAX_DISPLAY_NAME
        ? line.substring(0, line.offsetByCodePoints(0, MAX_DISPLAY_NAME)).strip()
        : line;
  }

  /**
   * The address of an account whose identity has no verified one: made of a digest, so that the
   * member can be named, and nobody is invited with it by chance.
   */
  String placeholderEmail() {
    var digest = HexFormat.of().formatHex(Sha256.of(issuer + " " + subject));
    var host = Objects.requireNonNullElse(URI.create(issuer).getHost(), "issuer.invalid");
    return digest.substring(0, PLACEHOLDER_DIGITS) + "@" + host.toLowerCase(Locale.ROOT);
  }
}
