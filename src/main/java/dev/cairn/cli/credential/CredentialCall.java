package dev.cairn.cli.credential;

import dev.cairn.cli.command.CliCommand;
import dev.cairn.cli.output.Details;
import dev.cairn.client.CredentialSet;
import dev.cairn.client.CredentialSetsClient;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** A command about the credential sets of the repository or of an organization. */
@Command
abstract class CredentialCall extends CliCommand {
  @Option(
      names = {"-o", "--org"},
      paramLabel = "<org>",
      description = "The sets of this organization, instead of those of the repository.")
  private String organization;

  final CredentialSetsClient sets() {
    return organization == null
        ? repository().credentialSets()
        : client().organization(organization).credentialSets();
  }

  final void show(CredentialSet set) {
    output()
        .details(
            set,
            new Details()
                .add("Name", set.name())
                .add("Description", set.description())
                .add("Keys", String.join(", ", set.keyNames()))
                .time("Created", set.createdAt())
                .time("Updated", set.updatedAt())
                .time("Revoked", set.revokedAt()));
  }
}
