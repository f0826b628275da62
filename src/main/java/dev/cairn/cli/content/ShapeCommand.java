package dev.cairn.cli.content;

import dev.cairn.cli.command.CommandGroup;
import picocli.CommandLine.Command;

/** Commands on shapes. */
@Command(
    name = "shape",
    description = "List, show, add and revise shapes, the types of entities.",
    subcommands = {
      ShapeListCommand.class,
      ShapeGetCommand.class,
      ShapeAddCommand.class,
      ShapeReviseCommand.class
    })
public final class ShapeCommand extends CommandGroup {}
