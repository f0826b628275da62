package dev.cairn.commit;

import dev.cairn.access.RepositoryAccess;
import dev.cairn.content.Commit;
import dev.cairn.model.Problem;
import java.util.List;
import java.util.Optional;

/**
 * Reacts to commits inside their transaction: what it writes is there if and only if the commit is.
 * All beans of this type are called. A transaction may have several commits of one repository, each
 * of which is planned and then written, in their order.
 */
public interface CommitListener {
  /** What a listener does for a commit; called at most once. */
  @FunctionalInterface
  interface Reaction {
    /** The commit was just written; its versions can be read in the surrounding transaction. */
    void written(Commit commit);
  }

  /**
   * Looks at a commit that is about to be written, or tried by a dry run, after which nothing
   * follows. Writes nothing; the surrounding transaction holds the lock of the repository's head.
   *
   * @param access the caller that commits
   * @param watchers the version of the repository's watchers as of that lock; 0 if it never had any
   * @param operations those that change something, by the names that hold after the commit
   * @return empty if the listener has nothing to do for it
   * @throws Problem if the commit must not be
   */
  Optional<Reaction> planned(
      RepositoryAccess access, long watchers, List<CommittedOperation> operations);
}
