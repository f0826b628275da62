package dev.cairn.cli.account;

import dev.cairn.cli.command.Connection;
import dev.cairn.cli.command.Profile;
import dev.cairn.client.SignInClient;

/** Ends sign-ins at the server. */
final class SignOut {
  private SignOut() {}

  /** Ends a sign-in with all its tokens. */
  static void end(SignInClient client, Profile.SignIn signIn) {
    if (signIn.isGrant()) {
      client.revokeGrant(Connection.CLIENT_ID, signIn.refreshToken());
    } else {
      client.endSignIn(signIn.refreshToken());
    }
  }
}
