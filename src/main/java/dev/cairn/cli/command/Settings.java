package dev.cairn.cli.command;

import dev.cairn.cli.output.ProcessContext;
import java.net.URI;
import java.net.URISyntaxException;

/**
 * Which server, profile, repository and token a command works with. An option wins over the
 * environment, which wins over the profile.
 */
public final class Settings {
  private static final String DEFAULT_SERVER = "http://localhost:8080";

  private final ProcessContext context;
  private final GlobalOptions options;
  private final ProfileFile file;
  private Profiles profiles;

  Settings(ProcessContext context, GlobalOptions options) {
    this.context = context;
    this.options = options;
    this.file = ProfileFile.of(context);
  }

  /** The file with the profiles. */
  public ProfileFile file() {
    return file;
  }

  /**
   * The profiles, as they were when they were first needed.
   *
   * @throws CommandFailure if the file is refused
   */
  public Profiles profiles() {
    if (profiles == null) {
      profiles = file.read();
    }
    return profiles;
  }

  /** The name of the profile, which need not exist. */
  public String profileName() {
    var wanted = firstOf(options.profile(), context.variable("CAIRN_PROFILE"));
    return wanted == null ? profiles().current() : wanted;
  }

  /**
   * The profile.
   *
   * @return null if it does not exist and was not asked for by name
   * @throws CommandFailure if it was asked for by name and does not exist
   */
  public Profile profile() {
    var name = profileName();
    return name.equals(Profiles.DEFAULT) ? profiles().get(name) : profiles().require(name);
  }

  /**
   * The server.
   *
   * @throws CommandFailure if it is not the URL of one
   */
  public URI server() {
    var given = givenServer();
    if (given != null) {
      return parse(given);
    }
    var profile = profile();
    return parse(profile == null || profile.server() == null ? DEFAULT_SERVER : profile.server());
  }

  /** The server that an option or the environment names, or null. */
  public String givenServer() {
    return firstOf(options.server(), context.variable("CAIRN_SERVER"));
  }

  /**
   * The URL of a server, without a slash at its end.
   *
   * @throws CommandFailure if it is none
   */
  public static URI parse(String server) {
    try {
      var uri = new URI(server.replaceFirst("/+$", ""));
      boolean isHttp = "http".equals(uri.getScheme()) || "https".equals(uri.getScheme());
      if (isHttp && uri.getHost() != null && uri.getUserInfo() == null && uri.getQuery() == null) {
        return uri;
      }
    } catch (URISyntaxException e) {
      // The failure below says what is expected.
    }
    throw new CommandFailure(
        ExitCode.USAGE,
        "'%s' is not the URL of a server: expected one such as https://cairn.example.org."
            .formatted(server));
  }

  /**
   * The token of the environment, without white space around it, which is sent to whatever server
   * was chosen; or null.
   */
  public String givenToken() {
    var token = context.variable("CAIRN_TOKEN");
    return token == null || token.isBlank() ? null : token.strip();
  }

  /**
   * The profile, if its tokens are for the server: they are never sent to another one.
   *
   * @return null if there is no such profile, or nobody is signed in there
   */
  public Profile signedInProfile() {
    var profile = profile();
    return profile != null && profile.isSignedIn() && profile.isOf(server()) ? profile : null;
  }

  /**
   * The repository.
   *
   * @throws CommandFailure if none was chosen, or the name is not valid
   */
  public RepositoryName repository() {
    var name = repositoryIfChosen();
    if (name == null) {
      throw new CommandFailure(
          ExitCode.USAGE, "No repository was chosen.", "cairn use <org/repo>", "cairn repo list");
    }
    return name;
  }

  /**
   * The repository.
   *
   * @return null if none was chosen
   * @throws CommandFailure if the name is not valid
   */
  public RepositoryName repositoryIfChosen() {
    var given = firstOf(options.repository(), context.variable("CAIRN_REPO"));
    if (given == null && profile() != null) {
      given = profile().repository();
    }
    return given == null ? null : RepositoryName.parse(given);
  }

  private static String firstOf(String option, String variable) {
    return option != null ? option : variable;
  }
}
