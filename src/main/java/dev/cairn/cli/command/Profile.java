package dev.cairn.cli.command;

import java.net.URI;

/**
 * What the CLI remembers of one server.
 *
 * @param server its URL
 * @param repository the chosen repository, {@code org/repo}; null if none was chosen
 * @param account the e-mail address or name that is signed in; null if nobody is
 * @param signIn the tokens of a sign-in; null if there is none
 * @param token a personal access token; null if there is none
 */
public record Profile(
    String server, String repository, String account, SignIn signIn, String token) {

  /**
   * The tokens of a sign-in, which renew themselves.
   *
   * @param accessToken the access token
   * @param expiresAt when it expires, in milliseconds since 1970
   * @param refreshToken the refresh token, valid for one use
   * @param isGrant whether it is a grant to the OAuth client {@code cairn-cli}, not a sign-in by
   *     password, which renews and ends in another way
   */
  public record SignIn(String accessToken, long expiresAt, String refreshToken, boolean isGrant) {
    /** Without the tokens. */
    @Override
    public String toString() {
      return "SignIn[expiresAt=" + expiresAt + ", isGrant=" + isGrant + "]";
    }
  }

  /** A profile of which nothing but the server is known. */
  public static Profile of(String server) {
    return new Profile(server, null, null, null, null);
  }

  /** The same with another repository. */
  public Profile withRepository(String chosen) {
    return new Profile(server, chosen, account, signIn, token);
  }

  /** The same with a sign-in in place of whatever was there. */
  public Profile withSignIn(String whose, SignIn tokens) {
    return new Profile(server, repository, whose, tokens, null);
  }

  /** The same with a personal access token in place of whatever was there. */
  public Profile withToken(String whose, String value) {
    return new Profile(server, repository, whose, null, value);
  }

  /** The same without any token. */
  public Profile signedOut() {
    return new Profile(server, repository, null, null, null);
  }

  /** Whether there is any token. */
  public boolean isSignedIn() {
    return signIn != null || token != null;
  }

  /** Whether it is of this server. */
  boolean isOf(URI url) {
    return server != null && Settings.parse(server).equals(url);
  }

  /** Without the tokens. */
  @Override
  public String toString() {
    return "Profile[server=" + server + ", repository=" + repository + ", account=" + account + "]";
  }
}
