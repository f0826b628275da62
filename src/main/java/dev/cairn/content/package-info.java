/**
 * The stored content of a repository: the tables {@code entity}, {@code entity_version}, {@code
 * reference}, {@code entity_rename}, {@code entity_count}, {@code commit_log} and {@code
 * repository_head}. All writes to them are here, and the reads that several packages need. A read
 * that only one capability needs is in that capability's package, composed of the parts of this
 * one.
 *
 * <p>{@link dev.cairn.content.RepositoryContent} creates the initial content of a repository.
 * Commits look up names with {@link dev.cairn.content.write.StoredEntities} and write with {@link
 * dev.cairn.content.write.ContentWriter} and {@link dev.cairn.content.write.Renaming}, with
 * set-based statements. A read selects entities from a {@link dev.cairn.content.Source}, which is
 * the current state (HEAD) or the state at a {@link dev.cairn.content.Moment}. {@link
 * dev.cairn.content.RepositoryHeads} reads the newest sequence number of a repository, and takes
 * the lock that all commits take. {@link dev.cairn.content.ByKey}, {@link
 * dev.cairn.content.CommitOperations}, {@link dev.cairn.content.FormerNames}, {@link
 * dev.cairn.content.StoredShapes} and {@link dev.cairn.content.StoredText} are the parts of SQL
 * that statements of other packages are composed of. The tables are described in {@code
 * docs/architecture.md}, Storage.
 */
package dev.cairn.content;
