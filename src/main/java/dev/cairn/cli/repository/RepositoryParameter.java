package dev.cairn.cli.repository;

import dev.cairn.cli.command.RepositoryName;
import picocli.CommandLine.Parameters;

/**
 * The repository that a command changes as a whole; a mixin. It must be named, so that nobody
 * archives or deletes whatever happens to be in use.
 */
final class RepositoryParameter {
  @Parameters(index = "0", paramLabel = "<org/repo>", description = "The repository.")
  private String name;

  /** The name. */
  RepositoryName name() {
    return RepositoryName.parse(name);
  }
}
