package dev.cairn.client;

import java.time.Duration;
import java.util.Map;

/** The token of each request, which is renewed shortly before it expires or if it is refused. */
final class Authorization {
  /** Longer than a request takes to arrive, and than clocks differ as a rule. */
  private static final Duration RESERVE = Duration.ofSeconds(30);

  private final Credentials credentials;

  Authorization(Credentials credentials) {
    this.credentials = credentials;
  }

  /**
   * The value of the header {@code Authorization} for a token.
   *
   * @throws IllegalArgumentException if it cannot be a token; unlike the exception of the JDK for a
   *     header, this one does not show it
   */
  static String header(String token) {
    if (token.isEmpty() || token.chars().anyMatch(c -> c <= ' ' || c > '~')) {
      throw new IllegalArgumentException(
          "The token is not valid: a token consists of visible ASCII characters, without spaces"
              + " and line breaks.");
    }
    return "Bearer " + token;
  }

  /** The token to send, renewed if it is about to expire; null for none. */
  @Nullable
  String token(Transport transport) {
    return switch (credentials) {
      case Credentials.Fixed fixed -> fixed.token();
      case Credentials.Renewing renewing -> {
        var tokens = renewing.store().tokens();
        yield expires(tokens) ? renew(renewing, tokens, transport) : tokens.accessToken();
      }
    };
  }

  /**
   * Renews a token that was refused.
   *
   * @return the new token; null if there is none
   */
  @Nullable
  String renew(String refused, Transport transport) {
    if (!(credentials instanceof Credentials.Renewing renewing)) {
      return null;
    }
    var tokens = renewing.store().tokens();
    return tokens.accessToken().equals(refused)
        ? renew(renewing, tokens, transport)
        : tokens.accessToken();
  }

  private static boolean expires(Tokens tokens) {
    return tokens.expiresAt() - RESERVE.toMillis() < System.currentTimeMillis();
  }

  private static String renew(Credentials.Renewing renewing, Tokens old, Transport transport) {
    return renewing
        .store()
        .renew(
            newest ->
                newest.accessToken().equals(old.accessToken())
                    ? request(renewing.clientId(), newest.refreshToken(), transport)
                    : newest)
        .accessToken();
  }

  /** Neither is repeated: a second use of a refresh token would end the sign-in. */
  private static Tokens request(
      @Nullable String clientId, String refreshToken, Transport transport) {
    if (clientId == null) {
      return transport.json(
          Call.post("api", "auth", "refresh")
              .anonymous()
              .json(Map.of("refreshToken", refreshToken)),
          Tokens.class);
    }
    var call =
        Call.post("oauth", "token")
            .anonymous()
            .form(
                Map.of(
                    "grant_type", "refresh_token",
                    "client_id", clientId,
                    "refresh_token", refreshToken));
    return tokens(transport.json(call, OAuthTokens.class));
  }

  /** The tokens of a grant in the form of those of a sign-in. */
  static Tokens tokens(OAuthTokens granted) {
    return new Tokens(
        granted.accessToken(),
        granted.refreshToken(),
        System.currentTimeMillis() + granted.expiresIn() * 1000L);
  }
}
