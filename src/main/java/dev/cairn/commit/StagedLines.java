package dev.cairn.commit;

import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;

/** The lines of a submission that becomes one commit, kept outside of the memory, in parts. */
public interface StagedLines {
  /**
   * The result of an operation that later ones refer to by its number.
   *
   * @param number of the operation, from 0
   * @param version the version that the entity had right after it
   */
  record NamedResult(int number, long entityId, int version) {}

  /**
   * Passes the parts, in order; called in the transaction of the commit, and again from the first
   * part if that is repeated.
   *
   * @param part returns whether to go on
   */
  void each(Predicate<SubmittedLines> part);

  /**
   * The largest parsed size of the parts that are still to be worked on, by {@link
   * dev.cairn.platform.memory.BodyMemory#parsedSize}: of the part that {@link #each} passes and
   * those after it, or of all parts before it is called.
   */
  long maxParsedBytes();

  /**
   * Requires that the commit may go on: called in its transaction, very often.
   *
   * @throws dev.cairn.model.Problem if its caller has lost the right to it, or it takes too long
   * @throws dev.cairn.platform.ClientGoneException if nobody waits for it any longer
   */
  void requireGoingOn();

  /** Does the work of renames, whose time does not count, since a budget of their own bounds it. */
  void rename(Runnable work);

  /** Keeps the result lines of the part that was passed last, in the same transaction. */
  void keep(byte[] results);

  /** Whether a later operation may refer to the result of the operation with this number. */
  boolean isReferred(int number);

  /** Keeps results that are referred to, until {@link #forget}, in the same transaction. */
  void keepNamed(List<NamedResult> results);

  /** The results that were kept of the operations with these numbers. */
  Map<Integer, NamedResult> named(Collection<Integer> numbers);

  /** Forgets the results that were kept; to be called before the transaction is committed. */
  void forget();
}
