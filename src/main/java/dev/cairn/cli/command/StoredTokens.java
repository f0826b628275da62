package dev.cairn.cli.command;

import dev.cairn.client.CairnException;
import dev.cairn.client.TokenStore;
import dev.cairn.client.Tokens;
import java.net.URI;
import java.util.function.UnaryOperator;

/**
 * The tokens of a sign-in in the file with the profiles. Two commands that run at once renew them
 * only once: the second one waits for the lock, and finds the tokens that the first one has stored.
 * Tokens of another server, for which the profile was signed in meanwhile, are never returned.
 */
final class StoredTokens implements TokenStore {
  private final ProfileFile file;
  private final String name;
  private final URI server;
  private Tokens tokens;

  /**
   * The tokens of a profile.
   *
   * @param name the name of the profile
   * @param server the server to which they are sent
   * @param signIn its sign-in, as it was read
   */
  StoredTokens(ProfileFile file, String name, URI server, Profile.SignIn signIn) {
    this.file = file;
    this.name = name;
    this.server = server;
    this.tokens = tokens(signIn);
  }

  private static Tokens tokens(Profile.SignIn signIn) {
    return new Tokens(signIn.accessToken(), signIn.refreshToken(), signIn.expiresAt());
  }

  @Override
  public synchronized Tokens tokens() {
    return tokens;
  }

  /**
   * Renews them under the lock of the file.
   *
   * @throws CommandFailure if the sign-in has ended
   */
  @Override
  public synchronized Tokens renew(UnaryOperator<Tokens> renewal) {
    tokens = file.locked(() -> renewLocked(renewal));
    return tokens;
  }

  private Tokens renewLocked(UnaryOperator<Tokens> renewal) {
    var profile = file.read().get(name);
    if (profile != null && !profile.isOf(server)) {
      throw ended("The profile '%s' was signed in to another server meanwhile.");
    }
    if (profile == null || profile.signIn() == null) {
      throw ended();
    }
    var stored = tokens(profile.signIn());
    var renewed = apply(renewal, stored);
    if (!renewed.equals(stored)) {
      var signIn =
          new Profile.SignIn(
              renewed.accessToken(),
              renewed.expiresAt(),
              renewed.refreshToken(),
              profile.signIn().isGrant());
      file.change(all -> all.with(name, profile.withSignIn(profile.account(), signIn)));
    }
    return renewed;
  }

  private Tokens apply(UnaryOperator<Tokens> renewal, Tokens stored) {
    try {
      return renewal.apply(stored);
    } catch (CairnException e) {
      // An answer of OAuth is 400, invalid_grant; that of the API is 401.
      if (e.status() == 400 || e.status() == 401) {
        throw ended();
      }
      throw e;
    }
  }

  private CommandFailure ended() {
    return ended("The sign-in of the profile '%s' has ended.");
  }

  private CommandFailure ended(String sentence) {
    return new CommandFailure(
        ExitCode.UNAUTHENTICATED,
        sentence.formatted(name),
        name.equals(Profiles.DEFAULT) ? "cairn login" : "cairn login --profile " + name);
  }
}
