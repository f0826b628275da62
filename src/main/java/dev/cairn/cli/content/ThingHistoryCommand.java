package dev.cairn.cli.content;

import dev.cairn.cli.command.CliCommand;
import dev.cairn.cli.command.ListLimit;
import dev.cairn.cli.output.Style;
import dev.cairn.cli.output.Table;
import dev.cairn.client.HistoryEntry;
import dev.cairn.client.HistoryQuery;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Lists versions. */
@Command(
    name = "history",
    description = "List versions of an entity or a shape, newest first.",
    footer = {"cairn thing history City/oslo", "cairn thing history --shape City --limit 20"})
public final class ThingHistoryCommand extends CliCommand {
  @Parameters(arity = "0..1", paramLabel = "<wref>", description = "The entity.")
  private String wref;

  @Option(
      names = {"-s", "--shape"},
      paramLabel = "<shape>",
      description = "All entities of this shape.")
  private String shape;

  @Option(
      names = "--about",
      paramLabel = "<wref>",
      description = "Assertions about this entity or glob.")
  private String about;

  @Mixin private ListLimit limit;

  @Override
  protected void run() {
    limit.check();
    if (wref == null && shape == null && about == null) {
      throw usage("Of what? Name an entity, --shape or --about.");
    }
    var query = wref == null ? null : HistoryQuery.of(wref);
    if (shape != null) {
      query = query == null ? HistoryQuery.ofShape(shape) : query.shape(shape);
    }
    if (about != null) {
      query = query == null ? HistoryQuery.ofAssertionsAbout(about) : query.about(about);
    }
    var versions = repository().history(query.limit(limit.pageSize(output())));
    output().list(table(), limit.apply(versions, output()), "There is no such version.");
  }

  private Table<HistoryEntry> table() {
    var table = new Table<HistoryEntry>();
    if (wref == null) {
      table.text("WREF", HistoryEntry::wref);
    }
    return table
        .number("VERSION", HistoryEntry::version)
        .text("OPERATION", entry -> entry.active() ? entry.operation() : "retract", this::style)
        .time("WHEN", HistoryEntry::createdAt)
        .text("AUTHOR", HistoryEntry::author)
        .text("COMMIT", HistoryEntry::commitId)
        .text("DATA", entry -> Data.line(entry.data()));
  }

  private Style style(HistoryEntry entry) {
    return entry.active() ? null : Style.YELLOW;
  }
}
