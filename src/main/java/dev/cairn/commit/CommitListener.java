package dev.cairn.commit;

import dev.cairn.access.RepositoryAccess;
import dev.cairn.content.Commit;
import dev.cairn.model.Problem;
import java.util.List;
import java.util.Optional;

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
     * Begins to react to a commit, or to a dry run. The current transaction holds the lock on the
     * repository's head.
     *
     * @param access the caller that commits
     * @param watchers the version of the repository's watchers, read with that lock; 0 if it never
     *     had any
     * @return empty if the listener has nothing to do for the repository
     */
    Optional<Reaction> begin(RepositoryAccess access, long watchers);

    /** Called once, after the last commit, to write what is not written yet. */
    void finish();
  }

  /**
   * What a listener does for one commit. Most commits are planned and written as a whole. A large
   * one comes in parts: {@code planned}, {@code written}, {@code planned}, {@code written}, …,
   * {@code committed}.
   */
  interface Reaction {
    /**
     * Called before operations are written; must not write.
     *
     * @param operations of the commit or of its next part: those that change something, with the
     *     names after it
     * @throws Problem if the commit must be refused
     */
    void planned(List<CommittedOperation> operations);

    /**
     * Called when a part is written: its versions can be read in the current transaction.
     *
     * @param seq the sequence number that the commit will have
     */
    void written(long seq);

    /**
     * Called when the commit is written: its versions can be read in the current transaction. Never
     * called for a dry run, or if the commit cannot be written.
     */
    void committed(Commit commit);
  }
}
