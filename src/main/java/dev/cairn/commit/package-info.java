/**
 * The write path: a batch of operations becomes one commit, or none of it does.
 *
 * <pre>
 * request → lock the repository's head → load the named entities → plan in memory → write as sets
 *           (one commit at a time)       (a constant number of statements, both ways)
 * </pre>
 *
 * <p>{@link dev.cairn.commit.CommitPlanner} contains the rules of operations and does not use the
 * database; {@link dev.cairn.commit.CommitLoader} and {@link dev.cairn.commit.CommitWriter} load
 * the stored entities for it and write its plan, with the statements of {@code content}. Start
 * reading at {@link dev.cairn.commit.CommitService}; the rules are in {@code docs/commits.md}.
 */
package dev.cairn.commit;
