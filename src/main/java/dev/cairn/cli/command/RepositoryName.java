package dev.cairn.cli.command;

import java.util.regex.Pattern;

/**
 * The name of a repository.
 *
 * @param org the organization
 * @param repo the repository within it
 */
public record RepositoryName(String org, String repo) {
  private static final Pattern NAME = Pattern.compile("[a-z0-9](?:[a-z0-9._-]{0,98}[a-z0-9])?");

  /**
   * Reads {@code org/repo}.
   *
   * @throws CommandFailure if it is not such a name
   */
  public static RepositoryName parse(String text) {
    int slash = text.indexOf('/');
    if (slash > 0) {
      var org = text.substring(0, slash);
      var repo = text.substring(slash + 1);
      if (NAME.matcher(org).matches() && NAME.matcher(repo).matches()) {
        return new RepositoryName(org, repo);
      }
    }
    throw new CommandFailure(
        ExitCode.USAGE,
        "'%s' is not a repository: expected org/repo, such as demo/world, in lower case."
            .formatted(text),
        "cairn repo list");
  }

  /** {@code org/repo}. */
  @Override
  public String toString() {
    return org + "/" + repo;
  }
}
