package dev.cairn.commit;

import dev.cairn.access.RepositoryAccess;
import dev.cairn.content.Commit;
import dev.cairn.model.Problem;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * Reacts to commits inside their transaction: its writes are stored if and only if the commits are.
 * All beans of this type are called.
 */
public interface CommitListener {
  /** Begins to listen to one transaction, which writes one or several commits of a repository. */
  Reactions begin();

  /** What a listener does for the commits of one transaction. */
  interface Reactions {
    /**
     * Called before a commit is written, or in a dry run. Must not write; the current transaction
     * holds the lock on the repository's head.
     *
     * @param access the caller that commits
     * @param watchers the version of the repository's watchers, read with that lock; 0 if it never
     *     had any
     * @param operations the operations that change something, with the names after the commit
     * @return takes the commit, once its versions can be read in the current transaction; never
     *     called for a dry run, or if the commit cannot be written; empty if the listener has
     *     nothing to do for the commit
     * @throws Problem if the commit must be refused
     */
    Optional<Consumer<Commit>> planned(
        RepositoryAccess access, long watchers, List<CommittedOperation> operations);

    /** Called once, after the last commit, to write what is not written yet. */
    void finish();
  }
}
