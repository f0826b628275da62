package dev.cairn.access.authentication;

import jakarta.json.JsonString;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import org.eclipse.microprofile.jwt.JsonWebToken;

/**
 * Reads the claims {@code scope} and {@code scp} of an external issuer's token: issuers write each
 * as a string or as an array of strings; {@code docs/access.md}, External issuer.
 */
final class ScopeClaims {
  private static final List<String> CLAIMS = List.of("scope", "scp");

  private ScopeClaims() {}

  /**
   * The names in both, separated by spaces.
   *
   * @return empty if one of them is neither a string nor an array of strings: such a claim may be
   *     meant to narrow the token
   */
  static Optional<String> of(JsonWebToken token) {
    var names = new ArrayList<String>();
    for (var claim : CLAIMS) {
      if (token.getClaimNames().contains(claim) && !read(token.getClaim(claim), names)) {
        return Optional.empty();
      }
    }
    return Optional.of(String.join(" ", names));
  }

  private static boolean read(Object value, List<String> names) {
    return switch (value) {
      case String text -> names.add(text);
      case JsonString text -> names.add(text.getString());
      case Collection<?> items ->
          items.stream().allMatch(item -> isText(item) && read(item, names));
      case null, default -> false;
    };
  }

  private static boolean isText(Object item) {
    return item instanceof String || item instanceof JsonString;
  }
}
