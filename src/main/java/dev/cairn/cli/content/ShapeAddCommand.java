package dev.cairn.cli.content;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.cairn.cli.command.CliCommand;
import dev.cairn.client.Json;
import java.io.IOException;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** Adds a shape. */
@Command(
    name = "add",
    description = "Add a shape.",
    footer = {
      "cairn shape add Sensor --field room=string --field 'model?=string'",
      "cairn shape add Reading --definition @reading.json -m 'Readings of sensors'"
    })
public final class ShapeAddCommand extends CliCommand {
  @Parameters(paramLabel = "<name>", description = "The name of the new shape.")
  private String name;

  @Mixin private ShapeDefinition definition;

  @Mixin private CommitFlags flags;

  @Override
  protected void run() throws IOException {
    if (definition.isEmpty()) {
      throw usage("What does it define? Give --field or --definition.");
    }
    var operation = operation("add", name);
    operation.set("data", definition.toJson(new CommandInput(context())));
    new Submission(output(), repository(), flags).submit(Submission.request(operation));
  }

  /** An operation on a shape. */
  static ObjectNode operation(String operation, String name) {
    return Json.mapper()
        .createObjectNode()
        .put("operation", operation)
        .put("kind", "shape")
        .put("name", name);
  }
}
