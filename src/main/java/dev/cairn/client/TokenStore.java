package dev.cairn.client;

import java.util.function.UnaryOperator;

/**
 * Keeps the tokens of one sign-in, and lets one caller at a time renew them. A refresh token can be
 * used only once, and a second use ends the sign-in: so the new tokens must be stored for good
 * before this returns, and a store that several processes use must lock it for all of them.
 */
public interface TokenStore {
  /** The tokens as they are now. */
  Tokens tokens();

  /**
   * Renews the tokens: takes the lock, reads the newest tokens, passes them to {@code renewal},
   * stores what it returns, and releases the lock. The renewal returns its argument if somebody
   * else has renewed the tokens meanwhile.
   *
   * @return the tokens that are now stored
   */
  Tokens renew(UnaryOperator<Tokens> renewal);

  /** A store that forgets the tokens when the process ends. */
  static TokenStore inMemory(Tokens tokens) {
    return new TokenStore() {
      private Tokens current = tokens;

      @Override
      public synchronized Tokens tokens() {
        return current;
      }

      @Override
      public synchronized Tokens renew(UnaryOperator<Tokens> renewal) {
        current = renewal.apply(current);
        return current;
      }
    };
  }
}
