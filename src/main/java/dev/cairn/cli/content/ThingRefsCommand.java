package dev.cairn.cli.content;

import dev.cairn.cli.command.CliCommand;
import dev.cairn.cli.command.ListLimit;
import dev.cairn.cli.output.Table;
import dev.cairn.client.Direction;
import dev.cairn.client.Reference;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Lists references. */
@Command(
    name = "refs",
    description = "List the references to an entity, or from it.",
    footer = {"cairn thing refs Currency/EUR", "cairn thing refs LegalTender/BG --outbound"})
public final class ThingRefsCommand extends CliCommand {
  @Parameters(paramLabel = "<wref>", description = "The entity.")
  private String wref;

  @Option(
      names = {"-o", "--outbound"},
      description = "References from the entity, not to it.")
  private boolean outbound;

  @Mixin private ListLimit limit;

  @Override
  protected void run() {
    limit.check();
    var direction = outbound ? Direction.OUTBOUND : Direction.INBOUND;
    output()
        .list(
            table(),
            limit.apply(repository().listReferences(wref, direction), output()),
            outbound ? "It refers to nothing." : "Nothing refers to it.");
  }

  private static Table<Reference> table() {
    return new Table<Reference>()
        .text("WREF", Reference::wref)
        .text("KIND", Reference::kind)
        .text("RELATION", Reference::relation)
        .text("POINTER", Reference::pointer)
        .number("PINNED", Reference::pinnedVersion);
  }
}
