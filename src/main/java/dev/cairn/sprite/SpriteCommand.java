package dev.cairn.sprite;

/** A command that runs elsewhere. One thread at a time calls it. */
non-sealed interface SpriteCommand extends SpriteState {
  /**
   * Its state. A call may wait for the end of the command.
   *
   * @throws SpriteException if it did not end by itself; with {@link
   *     SpriteException#isBackendFailure} it may still run
   * @throws InterruptedException if the service stops
   */
  SpriteState poll() throws SpriteException, InterruptedException;

  /** Stops it if it runs, and removes all that belongs to it. Must be called at the end. */
  void close();
}
