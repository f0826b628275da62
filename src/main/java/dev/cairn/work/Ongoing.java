package dev.cairn.work;

/**
 * An action that continues elsewhere, such as a command in a pod. No thread waits for it: its
 * attempt is given a thread from time to time to poll it, one at a time. {@code docs/actions.md},
 * Workers.
 *
 * @param <R> the result of an attempt
 */
public non-sealed interface Ongoing<R> extends Step<R> {
  /**
   * Asks for the state of the action, blocking, within time limits of its own. Unless it returns an
   * ongoing action, nothing of the action remains.
   *
   * @throws InterruptedException if the attempt is cancelled; must be thrown soon after the thread
   *     was interrupted, and the action is then stopped
   */
  Step<R> poll() throws InterruptedException;

  /** Stops the action, because it will no longer be polled. */
  void cancel();
}
