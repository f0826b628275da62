package dev.cairn.client;

/**
 * The token of a component.
 *
 * @param token the token
 * @param expiresAt when it expires, in milliseconds since 1970-01-01 UTC
 */
public record ComponentToken(String token, long expiresAt) {

  /** Everything but the token itself. */
  @Override
  public String toString() {
    return "ComponentToken[expiresAt=" + expiresAt + "]";
  }
}
