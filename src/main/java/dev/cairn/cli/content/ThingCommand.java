package dev.cairn.cli.content;

import dev.cairn.cli.command.CommandGroup;
import picocli.CommandLine.Command;

/** Commands on entities. */
@Command(
    name = "thing",
    description = "List, show and search entities: things, assertions, collections.",
    subcommands = {
      ThingListCommand.class,
      ThingGetCommand.class,
      ThingAboutCommand.class,
      ThingHistoryCommand.class,
      ThingSearchCommand.class,
      ThingRefsCommand.class
    })
public final class ThingCommand extends CommandGroup {}
