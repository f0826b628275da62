/**
 * The stored content of a repository: the tables {@code entity}, {@code entity_version}, {@code
 * reference}, {@code entity_rename}, {@code commit_log} and {@code repository_head}, as far as more
 * than one package needs them.
 *
 * <p>A statement selects entities from a {@link dev.cairn.content.Source}, which is the present
 * state (HEAD) or the state at a {@link dev.cairn.content.Moment}. {@link
 * dev.cairn.content.RepositoryHeads} has the newest sequence number of a repository, and the lock
 * that all commits take. The tables are described in {@code docs/architecture.md}, Storage.
 */
package dev.cairn.content;
