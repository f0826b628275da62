package dev.cairn.sprite;

/** A command that runs elsewhere. One thread at a time calls it. */
non-sealed interface SpriteCommand extends SpriteState {
  /**
   * How far it has come. A call may wait for the end of the command, and nothing else does.
   *
   * @throws SpriteException where it did not come to its end; or where {@link
   *     SpriteException#isTrouble} says so, it may still
   * @throws InterruptedException when the service stops
   */
  SpriteState look() throws SpriteException, InterruptedException;

  /**
   * Leaves nothing of it behind; it is stopped if it runs. Whoever has it calls this in the end.
   */
  void close();
}
