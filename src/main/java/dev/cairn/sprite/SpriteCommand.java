package dev.cairn.sprite;

/** A command that runs elsewhere. One thread at a time calls it. */
non-sealed interface SpriteCommand extends SpriteState {
  /**
   * The state of the command. A call may wait for its end.
   *
   * @throws SpriteException if it did not end by itself; with {@link
   *     SpriteException#isBackendFailure} it may still run
   * @throws InterruptedException if the service stops
   */
  SpriteState poll() throws SpriteException, InterruptedException;

  /** Stops the command if it runs, and removes all its resources. Must be called at the end. */
  void close();
}
