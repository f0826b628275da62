/**
 * The stored content of a repository: the tables {@code entity}, {@code entity_version}, {@code
 * reference}, {@code entity_rename}, {@code entity_count}, {@code commit_log} and {@code
 * repository_head}. All SQL that names them is here and in the parts of this package: {@link
 * dev.cairn.content.write} finds and writes what a commit needs, {@link dev.cairn.content.read} has
 * the statements of reads, and {@link dev.cairn.content.verification} verifies a repository. Other
 * packages compose statements of these parts, or call them; {@code ContentTablesTest} lists the
 * exceptions.
 *
 * <p>A read selects entities from a {@link dev.cairn.content.Source}, which is the current state
 * (HEAD) or the state at a {@link dev.cairn.content.Moment}, and narrows them by {@link
 * dev.cairn.content.Predicates}. {@link dev.cairn.content.EntityRow} is a row in a list. {@link
 * dev.cairn.content.ByKey}, {@link dev.cairn.content.CommitOperations}, {@link
 * dev.cairn.content.FormerNames}, {@link dev.cairn.content.StoredShapes} and {@link
 * dev.cairn.content.StoredText} are fragments of SQL that many statements are composed of. {@link
 * dev.cairn.content.RepositoryContent} creates the initial content of a repository. {@link
 * dev.cairn.content.RepositoryHeads} reads the newest sequence number of a repository, and takes
 * the lock that all commits take. {@link dev.cairn.content.CommitHash} chains the commits. {@link
 * dev.cairn.content.ChangedEntities}, {@link dev.cairn.content.KeptCounts} and {@link
 * dev.cairn.content.NearNames} are read by several packages: what a commit changed, the counts that
 * are kept, and the names that somebody may have meant. The tables are described in {@code
 * docs/architecture.md}, Storage.
 */
package dev.cairn.content;
