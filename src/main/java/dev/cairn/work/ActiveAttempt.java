package dev.cairn.work;

import java.time.Duration;
import java.util.Optional;

/**
 * An attempt that this replica carries out. A thread works on it, or it is suspended until the next
 * poll of an action that continues elsewhere.
 *
 * @param <T> the claimed row
 * @param <R> the result of an attempt
 */
public final class ActiveAttempt<T extends WorkItem, R> {
  private final T item;
  private final Slots.Slot slot;

  /** Whether another worker has the item by now. */
  private volatile boolean isLost;

  private volatile boolean isOver;

  private boolean hasThread;
  private boolean hasEnded;
  private boolean isCancelled;
  private Thread thread;
  private Ongoing<R> ongoing;

  /** Since when it is suspended, by {@link System#nanoTime}. */
  private long suspendedSince;

  ActiveAttempt(T item, Slots.Slot slot) {
    this.item = item;
    this.slot = slot;
  }

  /** The claimed row. */
  public T item() {
    return item;
  }

  /** Its slot, which is released when it is over. */
  Slots.Slot slot() {
    return slot;
  }

  /** The thread that works on it, or did so last. */
  public synchronized Thread thread() {
    return thread;
  }

  /** What continues elsewhere; empty if nothing does. */
  synchronized Optional<Ongoing<R>> ongoing() {
    return Optional.ofNullable(ongoing);
  }

  /** Starts a thread for the next step, unless a thread works on it or it has ended. */
  synchronized void startStep(String name, Runnable step) {
    if (!hasThread) {
      hasThread = true;
      thread = Thread.ofVirtual().name(name).unstarted(step);
      thread.start();
    }
  }

  /** Its thread leaves it until the next poll. */
  synchronized void suspend(Ongoing<R> elsewhere) {
    ongoing = elsewhere;
    suspendedSince = System.nanoTime();
    hasThread = false;
  }

  /** Whether it has been suspended for at least this long. */
  synchronized boolean isSuspendedFor(Duration min) {
    return ongoing != null && !hasThread && System.nanoTime() - suspendedSince >= min.toNanos();
  }

  /** Its executor has returned a result, or stopped: from now on nothing interrupts its thread. */
  synchronized void markEnded() {
    hasEnded = true;
    Thread.interrupted(); // an interrupt that came too late
  }

  /** Ends it without a result, unless its executor has returned one. A repetition does nothing. */
  synchronized void cancel() {
    if (!hasEnded && !isCancelled) {
      isCancelled = true;
      if (hasThread) {
        thread.interrupt();
      }
    }
  }

  /** Whether it ends without a result. */
  synchronized boolean isCancelled() {
    return isCancelled;
  }

  void markLost() {
    isLost = true;
  }

  boolean isLost() {
    return isLost;
  }

  void markOver() {
    isOver = true;
  }

  /** Whether its result is written, or will not be written by this replica. */
  public boolean isOver() {
    return isOver;
  }
}
