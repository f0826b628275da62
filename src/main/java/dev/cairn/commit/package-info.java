/**
 * The write path: a batch of operations becomes one commit, or none of it does.
 *
 * <pre>
 * request → lock the repository's head → load what the names mean → plan in memory → write as sets
 *           (one commit at a time)       (a constant number of statements, both ways)
 * </pre>
 *
 * <p>{@link dev.cairn.commit.CommitPlanner} holds the rules of operations and touches no database;
 * {@link dev.cairn.commit.CommitLoader} and {@link dev.cairn.commit.CommitWriter} bring it what is
 * stored and turn its plan into rows, by the statements of {@code content}. Start reading at {@link
 * dev.cairn.commit.CommitService}; the rules are in {@code docs/commits.md}.
 */
package dev.cairn.commit;
