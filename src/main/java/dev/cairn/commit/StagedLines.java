package dev.cairn.commit;

import java.util.function.Predicate;

/** The lines of a submission that becomes one commit, kept outside of the memory, in parts. */
public interface StagedLines {
  /**
   * Passes the parts, in order; called in the transaction of the commit, and again from the first
   * part if that is repeated.
   *
   * @param part returns whether to go on
   */
  void each(Predicate<SubmittedLines> part);

  /** Keeps the result lines of the part that was passed last, in the same transaction. */
  void keep(byte[] results);
}
