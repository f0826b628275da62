/**
 * The stored content of a repository: the tables {@code entity}, {@code entity_version}, {@code
 * reference}, {@code entity_rename}, {@code commit_log} and {@code repository_head}. What writes
 * them, and what more than one package reads of them, is here; a read that only one capability has
 * stands beside its method there, made of the parts of this package.
 *
 * <p>{@link dev.cairn.content.RepositoryContent} is what a repository begins with. Commits find
 * what their names mean by {@link dev.cairn.content.StoredEntities} and write by {@link
 * dev.cairn.content.ContentWriter} and {@link dev.cairn.content.Renaming}, set by set. A read
 * selects entities from a {@link dev.cairn.content.Source}, which is the present state (HEAD) or
 * the state at a {@link dev.cairn.content.Moment}. {@link dev.cairn.content.RepositoryHeads} has
 * the newest sequence number of a repository, and the lock that all commits take. The tables are
 * described in {@code docs/architecture.md}, Storage.
 */
package dev.cairn.content;
