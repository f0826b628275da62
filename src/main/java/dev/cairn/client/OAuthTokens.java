package dev.cairn.client;

import com.fasterxml.jackson.annotation.JsonProperty;

/**
 * Tokens, RFC 6749.
 *
 * @param accessToken a JWT for {@code Authorization: Bearer}
 * @param tokenType how to send it
 * @param expiresIn seconds until it expires
 * @param refreshToken valid for one use within 30 days, by this client
 * @param scope the permissions that it is narrowed to; null if it is not narrowed
 */
public record OAuthTokens(
    @JsonProperty("access_token") String accessToken,
    @JsonProperty("token_type") String tokenType,
    @JsonProperty("expires_in") int expiresIn,
    @JsonProperty("refresh_token") String refreshToken,
    @Nullable String scope) {
  /** Without secrets. */
  @Override
  public String toString() {
    return "OAuthTokens[tokenType="
        + tokenType
        + ", expiresIn="
        + expiresIn
        + ", scope="
        + scope
        + "]";
  }
}
