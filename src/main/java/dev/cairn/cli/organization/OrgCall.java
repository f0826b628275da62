package dev.cairn.cli.organization;

import dev.cairn.cli.command.CliCommand;
import dev.cairn.client.OrganizationChange;
import dev.cairn.client.OrganizationClient;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** A command on one organization, its first argument. */
@Command
abstract class OrgCall extends CliCommand {
  @Parameters(index = "0", paramLabel = "<org>", description = "The organization.")
  private String name;

  /** Its name, as it was given. */
  final String name() {
    return name;
  }

  /** Its requests. */
  final OrganizationClient organization() {
    return client().organization(name);
  }

  /**
   * Changes it.
   *
   * @param sentence what has been done, for people
   */
  final void change(OrganizationChange change, String sentence) {
    output().done(organization().updateOrganization(change), sentence);
  }
}
