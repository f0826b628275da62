package dev.cairn.cli.content;

import dev.cairn.cli.command.CliCommand;
import dev.cairn.client.Query;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Shows one entity. */
@Command(
    name = "get",
    description = "Show one entity, also a retracted one.",
    footer = {
      "cairn thing get City/oslo",
      "cairn thing get City/oslo@v2 --json",
      "cairn thing get City/oslo --live"
    })
public final class ThingGetCommand extends CliCommand {
  @Parameters(paramLabel = "<wref>", description = "The entity: Shape/name; @v2 is a version.")
  private String wref;

  @Option(
      names = "--at",
      paramLabel = "<commit>",
      description = "The state after a commit, by its id or repoSeq.")
  private String at;

  @Option(
      names = {"-l", "--live"},
      description = "Go on, and show it again after each change.")
  private boolean live;

  @Override
  protected void run() {
    if (live && (at != null || wref.contains("@"))) {
      throw usage("--live shows the current version: it excludes --at and a version.");
    }
    var thing = at == null ? repository().getThing(wref) : repository().getThing(wref, at);
    if (!live) {
      output().details(thing, EntityOutput.details(thing));
      return;
    }
    new LiveView(
            output(),
            thing.wref(),
            items -> items.forEach(item -> output().details(item, EntityOutput.details(item))))
        .follow(repository(), Query.all().match(thing.wref()).includeInactive());
  }
}
