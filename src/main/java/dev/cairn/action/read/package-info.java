/**
 * Reads of runs, attempts and notifications, as callers may see them. See {@code docs/actions.md},
 * Reading.
 *
 * <p>It calls {@code action}, and {@code subscription}, {@code access}, {@code platform} and {@code
 * model}; {@code mcp} calls it. Start reading at {@link dev.cairn.action.read.ActionReads}.
 */
package dev.cairn.action.read;
