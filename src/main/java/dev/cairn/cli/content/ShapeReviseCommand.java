package dev.cairn.cli.content;

import dev.cairn.cli.command.CliCommand;
import java.io.IOException;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Revises a shape. */
@Command(
    name = "revise",
    description = "Change fields of a shape, or replace its definition.",
    footer = {
      "cairn shape revise Sensor --field 'height?=number'",
      "cairn shape revise Sensor --field model=null --dry-run",
      "cairn shape revise Sensor --definition @sensor.json --expected-version 2"
    })
public final class ShapeReviseCommand extends CliCommand {
  @Parameters(paramLabel = "<name>", description = "The shape.")
  private String name;

  @Mixin private ShapeDefinition definition;

  @Option(
      names = "--expected-version",
      paramLabel = "<n>",
      description = "Only if this is the current version.")
  private Integer expectedVersion;

  @Mixin private CommitFlags flags;

  @Override
  protected void run() throws IOException {
    if (definition.isEmpty()) {
      throw usage("What changes? Give --field, --description or --definition.");
    }
    var operation = ShapeAddCommand.operation("revise", name);
    var json = definition.toJson(new CommandInput(context()));
    operation.set(definition.isWhole() ? "data" : "patch", json);
    if (expectedVersion != null) {
      operation.put("expectedVersion", expectedVersion);
    }
    new Submission(output(), repository(), flags).submit(Submission.request(operation));
  }
}
