package dev.cairn.cli.command;

import dev.cairn.cli.output.Output;
import dev.cairn.client.CairnClient;
import dev.cairn.client.Credentials;
import dev.cairn.client.Exchange;
import java.net.URI;

/** Makes the clients of commands. */
public final class Connection {
  /** The OAuth client that the CLI is; it is built into every server: {@code docs/oauth.md}. */
  public static final String CLIENT_ID = "cairn-cli";

  private Connection() {}

  /** A client with the token that the settings name. */
  static CairnClient open(Settings settings, Output output, boolean verbose) {
    return builder(settings.server(), output, verbose).credentials(credentials(settings)).build();
  }

  /** A client with credentials of the command's own. */
  static CairnClient open(URI server, Credentials credentials, Output output, boolean verbose) {
    return builder(server, output, verbose).credentials(credentials).build();
  }

  private static CairnClient.Builder builder(URI server, Output output, boolean verbose) {
    var builder = CairnClient.builder(server);
    return verbose ? builder.listener(exchange -> output.trace(line(exchange))) : builder;
  }

  private static String line(Exchange exchange) {
    var status = exchange.status() == null ? "no answer" : exchange.status().toString();
    var again = exchange.attempt() > 1 ? ", attempt " + exchange.attempt() : "";
    return "%s: %s in %d ms%s"
        .formatted(exchange.request(), status, exchange.elapsed().toMillis(), again);
  }

  private static Credentials credentials(Settings settings) {
    if (settings.givenToken() != null) {
      return token(
          settings.givenToken(),
          "$CAIRN_TOKEN",
          "unset CAIRN_TOKEN, or set it to a token that is valid");
    }
    var profile = settings.signedInProfile();
    if (profile == null) {
      return Credentials.none();
    }
    if (profile.token() != null) {
      return token(
          profile.token(),
          "The token of the profile '%s'".formatted(settings.profileName()),
          "cairn login --token-stdin");
    }
    var store = new StoredTokens(settings.file(), settings.profileName(), profile);
    return profile.signIn().isGrant()
        ? Credentials.renewing(store, CLIENT_ID)
        : Credentials.renewing(store);
  }

  /**
   * Credentials of a token that somebody has entered.
   *
   * @param origin where it is from, for the message, which does not show the token
   * @throws CommandFailure if it cannot be a token
   */
  public static Credentials token(String token, String origin, String... tries) {
    try {
      return Credentials.token(token);
    } catch (IllegalArgumentException e) {
      throw new CommandFailure(
          ExitCode.UNAUTHENTICATED,
          origin
              + " is not valid: a token consists of visible ASCII characters, without spaces and"
              + " line breaks.",
          tries);
    }
  }
}
