package dev.cairn.cli.account;

import dev.cairn.cli.command.CommandGroup;
import picocli.CommandLine.Command;

/** Profiles: what the CLI remembers of each server. */
@Command(
    name = "profile",
    description = "List and choose profiles, one for each server or account.",
    subcommands = {ProfileListCommand.class, ProfileUseCommand.class, ProfileRemoveCommand.class})
public final class ProfileCommand extends CommandGroup {}
