package dev.cairn.cli.content;

import dev.cairn.cli.command.CommandGroup;
import picocli.CommandLine.Command;

/** Commands on commits. */
@Command(
    name = "commit",
    description = "Write to a repository, and show what was written.",
    subcommands = {CommitSubmitCommand.class, CommitLogCommand.class, CommitShowCommand.class})
public final class CommitCommand extends CommandGroup {}
