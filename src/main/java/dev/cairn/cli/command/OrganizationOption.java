package dev.cairn.cli.command;

import picocli.CommandLine.Option;

/** The organization that a command works with; a mixin. */
public final class OrganizationOption {
  @Option(
      names = {"-o", "--org"},
      paramLabel = "<org>",
      description = "The organization. Otherwise that of the repository in use.")
  private String organization;

  /** For picocli. */
  public OrganizationOption() {}

  /** Whether one was named. */
  public boolean isGiven() {
    return organization != null;
  }

  /**
   * The name of the organization.
   *
   * @throws CommandFailure if none was named, and no repository is in use
   */
  public String name(Settings settings) {
    return organization != null ? organization : settings.repository().org();
  }
}
