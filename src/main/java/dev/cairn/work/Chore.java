package dev.cairn.work;

/**
 * A kind of work that is done once an hour over all replicas, such as the cleanup of expired rows.
 * Each implementation is a bean; {@link Chores} runs it. {@code docs/operation.md}, Chores, has the
 * rules.
 */
public interface Chore {
  /** The key of its row in the table {@code chore}; must be the same in every release. */
  String name();

  /**
   * Does a part of the work, in at most about a second.
   *
   * @return whether there may be more to do
   * @throws RuntimeException if it fails; it is then tried again an hour later
   */
  boolean runBatch();
}
