package dev.cairn.action;

/**
 * An action that goes on elsewhere. No thread waits for it: its attempt is given one from time to
 * time, to look how it stands. One thread at a time calls it. {@code docs/actions.md}, Workers.
 */
public non-sealed interface Ongoing extends Step {
  /**
   * Looks how it stands, blocking, within time limits of its own. Unless it answers with what goes
   * on, it leaves nothing of that behind.
   *
   * @throws InterruptedException when the attempt is broken off, as it must soon after it was
   *     interrupted; the action is then stopped
   */
  Step look() throws InterruptedException;

  /** Stops the action, because nobody will look any more. */
  void breakOff();
}
