package dev.cairn.cli.content;

import dev.cairn.cli.command.CliCommand;
import dev.cairn.cli.command.ListLimit;
import dev.cairn.cli.output.Style;
import dev.cairn.cli.output.Table;
import dev.cairn.client.Difference;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** Lists what changed between two moments. */
@Command(
    name = "diff",
    description = "Show what changed between two commits.",
    footer = {"cairn diff 41", "cairn diff 0 9f2c41d07ab35e68 --jsonl"})
public final class DiffCommand extends CliCommand {
  @Parameters(
      index = "0",
      paramLabel = "<from>",
      description = "A commit, by its id or repoSeq; 0 is the empty repository.")
  private String from;

  @Parameters(
      index = "1",
      arity = "0..1",
      paramLabel = "<to>",
      description = "A later commit; by default the current state.")
  private String to;

  @Mixin private ListLimit limit;

  @Override
  protected void run() {
    limit.check();
    output()
        .list(table(), limit.apply(repository().diff(from, to), output()), "Nothing is different.");
  }

  private static Table<Difference> table() {
    return new Table<Difference>()
        .text("CHANGE", Difference::change, DiffCommand::style)
        .text("WREF", Difference::wref)
        .number("FROM", Difference::fromVersion)
        .number("TO", Difference::toVersion)
        .text("FORMER", Difference::fromWref);
  }

  private static Style style(Difference difference) {
    return switch (difference.change()) {
      case "added", "restored" -> Style.GREEN;
      case "retracted" -> Style.RED;
      default -> Style.YELLOW;
    };
  }
}
