package dev.cairn.cli.account;

import dev.cairn.client.Json;
import java.io.IOException;
import java.util.Base64;

/** What an access token of the built-in issuer says, which is not verified here. */
final class AccessToken {
  private AccessToken() {}

  /**
   * When it expires by the server's clock, in milliseconds since 1970.
   *
   * @throws IllegalArgumentException if it is not a JWT
   */
  static long expiresAt(String token) {
    var parts = token.split("\\.", -1);
    if (parts.length == 3) {
      try {
        var claims = Json.mapper().readTree(Base64.getUrlDecoder().decode(parts[1]));
        if (claims.path("exp").isIntegralNumber()) {
          return claims.get("exp").longValue() * 1000;
        }
      } catch (IOException e) {
        // The exception below says what was expected.
      }
    }
    throw new IllegalArgumentException("The access token is not a JWT.");
  }
}
