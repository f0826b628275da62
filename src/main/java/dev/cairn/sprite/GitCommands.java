package dev.cairn.sprite;

import java.net.URI;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The git commands that check one ref out into the current directory, only with the protocol of the
 * URL, without hooks, settings of the machine and password prompts.
 */
final class GitCommands {
  /** The variable with the user and the password, which must not be in arguments. */
  static final String AUTHORIZATION = "GIT_CONFIG_VALUE_2";

  private GitCommands() {}

  static List<List<String>> checkOut(GitSource git) {
    return List.of(
        List.of("git", "init", "--quiet", "--template=", "--", "."),
        List.of("git", "fetch", "--quiet", "--depth=1", "--no-tags", "--", address(git), git.ref()),
        List.of("git", "checkout", "--quiet", "--detach", "FETCH_HEAD"));
  }

  private static String address(GitSource git) {
    return git.authorization().isPresent() ? git.shown() : git.url();
  }

  /** The part of the environment that is not secret; {@link #AUTHORIZATION} is added if needed. */
  static Map<String, String> environment(GitSource git) {
    var variables =
        new HashMap<>(
            Map.of(
                "GIT_ALLOW_PROTOCOL", URI.create(git.url()).getScheme(),
                "GIT_CONFIG_GLOBAL", "/dev/null",
                "GIT_CONFIG_NOSYSTEM", "1",
                "GIT_TERMINAL_PROMPT", "0",
                "GIT_ASKPASS", "/bin/false",
                "GIT_CONFIG_COUNT", "2",
                "GIT_CONFIG_KEY_0", "core.hooksPath",
                "GIT_CONFIG_VALUE_0", "/dev/null",
                "GIT_CONFIG_KEY_1", "http.followRedirects",
                "GIT_CONFIG_VALUE_1", "false"));
    if (git.authorization().isPresent()) {
      variables.put("GIT_CONFIG_COUNT", "3");
      variables.put("GIT_CONFIG_KEY_2", "http." + address(git) + ".extraHeader");
    }
    return variables;
  }
}
