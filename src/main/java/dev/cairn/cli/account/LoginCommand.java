package dev.cairn.cli.account;

import dev.cairn.cli.command.CliCommand;
import dev.cairn.cli.command.CommandFailure;
import dev.cairn.cli.command.Connection;
import dev.cairn.cli.command.ExitCode;
import dev.cairn.cli.command.Profile;
import dev.cairn.cli.command.Settings;
import dev.cairn.client.CairnClient;
import dev.cairn.client.CairnException;
import dev.cairn.client.ServerNotReachedException;
import dev.cairn.client.Tokens;
import dev.cairn.client.Whoami;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.List;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Signs in. */
@Command(
    name = "login",
    description = {
      "Sign in, by confirming a code in a browser.",
      "The profile is in use from then on. A sign-in renews itself for 30 days after each use."
    },
    footer = {
      "cairn login --server https://cairn.example.org",
      "cairn login --profile work --server https://cairn.work.example",
      "cairn login --token-stdin < token.txt"
    })
public final class LoginCommand extends CliCommand {
  /** The other ways to sign in. */
  private static final class SignInMethod {
    @Option(
        names = "--with-password",
        description = "Ask for e-mail and password, or read two lines from standard input.")
    private boolean password;

    @Option(
        names = "--token-stdin",
        description = "Store a personal access token, read from standard input.")
    private boolean token;
  }

  @ArgGroup private SignInMethod method = new SignInMethod();

  @Option(
      names = "--scope",
      paramLabel = "<permission>",
      split = ",",
      description = "Only these permissions, such as repo:read. Otherwise all of the account.")
  private List<String> scopes = List.of();

  @Option(names = "--no-browser", description = "Do not open a browser on this machine.")
  private boolean withoutBrowser;

  @Override
  protected void run() throws IOException, InterruptedException {
    if (!scopes.isEmpty() && (method.password || method.token)) {
      throw usage("--scope only narrows a sign-in by browser.");
    }
    var server = settings().server();
    try (var anonymous = anonymousClient(server)) {
      if (method.token) {
        var token = readLine("Token: ");
        store(server, new SignedIn(whoami(server, token), null, token));
      } else {
        var tokens = method.password ? byPassword(anonymous) : byBrowser(anonymous);
        var signIn =
            new Profile.SignIn(
                tokens.accessToken(), tokens.expiresAt(), tokens.refreshToken(), !method.password);
        store(server, new SignedIn(whoami(server, signIn, anonymous), signIn, null));
      }
    }
    if (settings().givenToken() != null) {
      output().warn("$CAIRN_TOKEN is set, and wins over the sign-in.");
    }
  }

  /** The account that signed in, with the tokens of the sign-in or with a personal access token. */
  private record SignedIn(Whoami whoami, Profile.SignIn signIn, String token) {
    String name() {
      return accountName(whoami);
    }
  }

  private Tokens byBrowser(CairnClient anonymous) throws InterruptedException {
    var scope = scopes.isEmpty() ? null : String.join(" ", scopes);
    return new DeviceSignIn(anonymous.signIn(), Connection.CLIENT_ID, output(), Thread::sleep)
        .run(scope, withoutBrowser ? null : new Browser(context()));
  }

  private Tokens byPassword(CairnClient anonymous) throws IOException {
    if (!context().terminal().isInput()) {
      var reader = reader();
      return anonymous.signIn().signIn(line(reader, "an e-mail"), password(reader));
    }
    output().prompt("E-mail: ");
    var email = line(reader(), "an e-mail");
    var password = context().terminal().readPassword("Password: ");
    if (password == null) {
      throw missing("a password");
    }
    return anonymous.signIn().signIn(email, new String(password));
  }

  private String readLine(String prompt) throws IOException {
    if (context().terminal().isInput()) {
      var typed = context().terminal().readPassword(prompt);
      if (typed == null || typed.length == 0) {
        throw missing("a token");
      }
      return new String(typed).strip();
    }
    return line(reader(), "a token");
  }

  private BufferedReader reader() {
    return new BufferedReader(new InputStreamReader(context().in(), StandardCharsets.UTF_8));
  }

  private static String line(BufferedReader reader, String what) throws IOException {
    var line = reader.readLine();
    if (line == null || line.isBlank()) {
      throw missing(what);
    }
    return line.strip();
  }

  /** A password may begin and end with spaces: only the end of the line does not belong to it. */
  private static String password(BufferedReader reader) throws IOException {
    var line = reader.readLine();
    if (line == null || line.isEmpty()) {
      throw missing("a password");
    }
    return line;
  }

  private static CommandFailure missing(String what) {
    return new CommandFailure(
        ExitCode.USAGE, "Expected %s on the standard input, found nothing.".formatted(what));
  }

  private Whoami whoami(URI server, String token) {
    try (var client = client(server, Connection.token(token, "The token"))) {
      return client.account().whoami();
    }
  }

  /**
   * The account that signed in. If it cannot be read, the sign-in is ended, because nothing keeps
   * its tokens.
   */
  private Whoami whoami(URI server, Profile.SignIn signIn, CairnClient anonymous) {
    try {
      return whoami(server, signIn.accessToken());
    } catch (RuntimeException e) {
      try {
        SignOut.end(anonymous.signIn(), signIn);
      } catch (CairnException | ServerNotReachedException notEnded) {
        output().note("The new sign-in could not be ended: it expires by itself.");
      }
      throw e;
    }
  }

  private void store(URI server, SignedIn signedIn) {
    var name = settings().profileName();
    var before = settings().profiles().get(name);
    settings()
        .file()
        .change(
            all -> {
              var profile = profile(all.get(name), server);
              return all.with(
                      name,
                      signedIn.signIn() == null
                          ? profile.withToken(signedIn.name(), signedIn.token())
                          : profile.withSignIn(signedIn.name(), signedIn.signIn()))
                  .using(name);
            });
    endSignIn(before);
    output().done(signedIn.whoami(), "Signed in to %s as %s.".formatted(server, signedIn.name()));
  }

  /** What was chosen at another server means nothing at this one. */
  private static Profile profile(Profile before, URI server) {
    return before != null && server.equals(Settings.parse(before.server()))
        ? before
        : Profile.of(server.toString());
  }

  /** Nothing has the tokens of the sign-in before any more. */
  private void endSignIn(Profile before) {
    if (before != null && before.signIn() != null) {
      try (var anonymous = anonymousClient(Settings.parse(before.server()))) {
        SignOut.end(anonymous.signIn(), before.signIn());
      } catch (CairnException | ServerNotReachedException e) {
        output().note("The sign-in before could not be ended: it expires by itself.");
      }
    }
  }
}
