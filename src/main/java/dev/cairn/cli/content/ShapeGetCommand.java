package dev.cairn.cli.content;

import dev.cairn.cli.command.CliCommand;
import dev.cairn.cli.output.Details;
import dev.cairn.cli.output.Style;
import dev.cairn.client.Thing;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** Shows one shape. */
@Command(
    name = "get",
    description = "Show a shape with its fields.",
    footer = {"cairn shape get Sensor", "cairn shape get Sensor@v1 --json"})
public final class ShapeGetCommand extends CliCommand {
  @Parameters(paramLabel = "<name>", description = "The shape; @v2 is a version.")
  private String name;

  @Override
  protected void run() {
    var shape = repository().getShape(name);
    output().details(shape, details(shape));
  }

  private static Details details(Thing shape) {
    var definition = shape.data();
    var details =
        new Details()
            .add("Shape", shape.name(), Style.BOLD)
            .add("Version", shape.version())
            .add("State", shape.active() ? null : "retracted", Style.YELLOW)
            .add("Description", definition.path("description").textValue())
            .add("About", Data.at(definition, "about"))
            .add("Author", shape.author())
            .time("Updated", shape.updatedAt());
    definition
        .path("fields")
        .properties()
        .forEach(field -> details.add("  " + field.getKey(), Data.text(field.getValue())));
    return details;
  }
}
