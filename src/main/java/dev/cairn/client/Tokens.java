package dev.cairn.client;

/**
 * The tokens of a sign-in.
 *
 * @param accessToken a JWT for {@code Authorization: Bearer}, valid for one hour, but not longer
 *     than its session
 * @param refreshToken valid for one use within 30 days
 * @param expiresAt when the access token expires
 */
public record Tokens(String accessToken, String refreshToken, long expiresAt) {
  /** Without secrets. */
  @Override
  public String toString() {
    return "Tokens[expiresAt=" + expiresAt + "]";
  }
}
