package dev.cairn.client;

import java.util.Objects;

/** What the client sends in {@code Authorization}. Nothing of it is in a log or an exception. */
public sealed interface Credentials {
  /** No credentials: everything that is public can be read. */
  static Credentials none() {
    return new Fixed(null);
  }

  /**
   * A token that stays the same, such as a personal access token.
   *
   * @throws IllegalArgumentException if it cannot be a token; the message does not show it
   */
  static Credentials token(String token) {
    return new Fixed(Objects.requireNonNull(token));
  }

  /** The tokens of a sign-in by password, which the client renews before they expire. */
  static Credentials renewing(TokenStore store) {
    return new Renewing(store, null);
  }

  /**
   * The tokens of a grant, which the client renews before they expire.
   *
   * @param clientId the OAuth client that has the grant, such as {@code cairn-cli}
   */
  static Credentials renewing(TokenStore store, String clientId) {
    return new Renewing(store, Objects.requireNonNull(clientId));
  }

  /**
   * A token that stays the same.
   *
   * @param token the token; null for no credentials
   */
  record Fixed(@Nullable String token) implements Credentials {
    /**
     * @throws IllegalArgumentException if it cannot be a token; the message does not show it
     */
    public Fixed {
      if (token != null) {
        Authorization.header(token);
      }
    }

    /** Without the token. */
    @Override
    public String toString() {
      return token == null ? "no credentials" : "a token";
    }
  }

  /**
   * Tokens that the client renews.
   *
   * @param store has the tokens
   * @param clientId the OAuth client that has the grant; null for a sign-in by password
   */
  record Renewing(TokenStore store, @Nullable String clientId) implements Credentials {
    /** Without the tokens. */
    @Override
    public String toString() {
      return "tokens that are renewed";
    }
  }
}
