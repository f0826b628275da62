package dev.cairn.work;

import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;

/**
 * A kind of leased work: a table whose rows have a due time and a lease, what carries a row out,
 * and when it is tried again. {@link Worker} does the rest. Every statement that changes a row
 * checks its status, its attempt and its lease, so a worker that lost a row changes nothing.
 *
 * @param <T> a claimed row, in its attempt
 * @param <R> the result of an attempt
 */
public interface WorkKind<T extends WorkItem, R> {
  /** What one item is called in the names of threads and in the log, such as {@code run}. */
  String noun();

  /** The slots of each of its executors. */
  Map<String, SlotLimits> slots();

  /** How long attempts may continue at shutdown before they are cancelled. */
  Duration grace();

  /** Whether each replica claims it, otherwise only those with the role {@code worker}. */
  boolean isClaimedByAll();

  /** The channel of {@code NOTIFY} whose payloads are ids of repositories with new work. */
  Optional<String> channel();

  /**
   * An SQL expression without parameters that is true if there may be something to do; otherwise it
   * may be null. {@link Workers} asks for all kinds in one statement, so it may only take a few
   * steps in an index, whose order it names: then the planner takes the index, whatever it knows.
   */
  String dueCondition();

  /**
   * The queues from which an attempt could begin now, in the order in which they should.
   *
   * @param repos where there is new work; empty for anywhere
   * @param full what has no free slot, so that its queues need not be returned
   */
  List<TargetQueue> ready(Optional<Set<UUID>> repos, Slots.Full full, int max);

  /**
   * If {@link #ready} for anywhere looks at a part of the queues only, has it look at the next
   * part.
   *
   * @return false if this look has had all parts
   */
  default boolean nextPart() {
    return false;
  }

  /**
   * Takes items that are due, from each queue at most as many as it was granted, and begins their
   * next attempts.
   *
   * @param lease that identifies the worker
   */
  List<T> claim(Collection<Slots.Grant> grants, UUID lease);

  /**
   * Renews the leases of items.
   *
   * @param items in the order of their ids
   * @return the ids of those that are still under the lease
   */
  Set<UUID> renew(Collection<T> items, UUID lease);

  /**
   * Begins an attempt, blocking, on a virtual thread, within time limits of its own.
   *
   * @throws InterruptedException if the attempt is cancelled; must be thrown soon after the thread
   *     was interrupted
   */
  Step<R> begin(T item) throws InterruptedException;

  /** The result of an attempt that failed with an exception, which is logged here. */
  R failed(T item, RuntimeException cause);

  /**
   * Decides, once, what follows from a result: the new state of the row and its next due time.
   *
   * @return what writes that
   */
  Recording end(T item, R result);

  /** Returns an item to its queue without counting the attempt, because this replica stops. */
  void giveBack(T item);

  /** Called when an attempt is over in this replica, whatever became of it. */
  default void over(T item) {}

  /**
   * Ends the attempts whose lease has ended without a result.
   *
   * @return how many
   */
  int rescue();
}
