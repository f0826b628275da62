package dev.cairn.commit;

import java.util.UUID;

/** Is told of commits after their transaction. All beans of this type are called. */
@FunctionalInterface
public interface CommitObserver {
  /**
   * Called on the thread that committed, so it must return at once. Not called if the process ends
   * between the commit and this call.
   *
   * @param seq the sequence number of the newest commit of the transaction
   */
  void committed(UUID repoId, long seq);
}
