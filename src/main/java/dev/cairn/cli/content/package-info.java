/**
 * Commands on the content of a repository: shapes, entities, commits and differences; reads that
 * follow the changes ({@code --live}). Start reading at {@link
 * dev.cairn.cli.content.ThingListCommand} and {@link dev.cairn.cli.content.CommitSubmitCommand}.
 */
package dev.cairn.cli.content;
