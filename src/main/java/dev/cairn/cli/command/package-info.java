/**
 * What all commands share: their base class, the global options, profiles, exit codes and errors.
 * How to add a command is said at {@link dev.cairn.cli.command.CliCommand}.
 */
package dev.cairn.cli.command;
