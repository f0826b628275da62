package dev.cairn.cli.command;

import dev.cairn.client.CairnException;
import dev.cairn.client.TokenStore;
import dev.cairn.client.Tokens;
import java.util.Objects;
import java.util.function.UnaryOperator;

/**
 * The tokens of a sign-in in the file with the profiles. Two commands that run at once renew them
 * only once: the second one waits for the lock, and finds the tokens that the first one has stored.
 * Tokens of another server or account, for which the profile was signed in meanwhile, are never
 * returned: a command acts for one account from its beginning to its end.
 */
final class StoredTokens implements TokenStore {
  private final ProfileFile file;
  private final String name;
  private final Profile begun;
  private Tokens tokens;

  /**
   * The tokens of a profile.
   *
   * @param name the name of the profile
   * @param begun the profile as it was read, which is signed in
   */
  StoredTokens(ProfileFile file, String name, Profile begun) {
    this.file = file;
    this.name = name;
    this.begun = begun;
    this.tokens = tokens(begun.signIn());
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
   * @throws CommandFailure if the sign-in has ended, or the profile is signed in to another server
   *     or as another account
   */
  @Override
  public synchronized Tokens renew(UnaryOperator<Tokens> renewal) {
    tokens = file.locked(() -> renewLocked(renewal));
    return tokens;
  }

  private Tokens renewLocked(UnaryOperator<Tokens> renewal) {
    var profile = file.read().get(name);
    if (profile != null && !profile.isOf(Settings.parse(begun.server()))) {
      throw ended("The profile '%s' was signed in to another server meanwhile.");
    }
    if (profile == null || profile.signIn() == null) {
      throw ended();
    }
    if (!Objects.equals(profile.account(), begun.account())) {
      throw ended("The profile '%s' was signed in as another account meanwhile.");
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
