package dev.cairn.query;

import dev.cairn.access.RepositoryAccess;
import dev.cairn.model.Problem;

/**
 * Waits for commits. Packages that follow commits implement it, and call this package for what they
 * tell of them.
 */
@FunctionalInterface
public interface CommitWait {
  /**
   * Waits until a repository has a commit, for at most half a minute; less if access to it ends or
   * this replica stops. Holds neither a connection to the database nor a turn of a read.
   *
   * @param access granted for {@code repo:read}
   * @param seq the sequence number of the commit
   * @throws Problem {@code RATE_LIMITED} or {@code UNAVAILABLE} if too many clients wait, also
   *     meanwhile
   */
  void await(RepositoryAccess access, long seq);
}
