package dev.cairn.commit;

import dev.cairn.access.RepositoryAccess;
import dev.cairn.content.Commit;
import dev.cairn.model.Problem;
import java.util.List;
import java.util.Optional;

/**
 * Reacts to commits inside their transaction: its writes are stored if and only if the commit is.
 * All beans of this type are called. A transaction may contain several commits of one repository;
 * each is planned and then written, in order.
 */
public interface CommitListener {
  /** The work of a listener for one commit; called at most once. */
  @FunctionalInterface
  interface Reaction {
    /**
     * Called when the commit has been written; its versions can be read in the current transaction.
     */
    void written(Commit commit);
  }

  /**
   * Called before a commit is written, or in a dry run, whose reaction is never called. Must not
   * write; the current transaction holds the lock on the repository's head.
   *
   * @param access the caller that commits
   * @param watchers the version of the repository's watchers, read with that lock; 0 if it never
   *     had any
   * @param operations the operations that change something, with the names after the commit
   * @return the reaction; empty if the listener has nothing to do for the commit
   * @throws Problem if the commit must be refused
   */
  Optional<Reaction> planned(
      RepositoryAccess access, long watchers, List<CommittedOperation> operations);
}
