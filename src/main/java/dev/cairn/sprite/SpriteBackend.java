package dev.cairn.sprite;

/** Where sprites run. Each is a bean; {@code cairn.sprite.backend} chooses among them. */
interface SpriteBackend {
  /** The name in {@code cairn.sprite.backend}. */
  String name();

  /**
   * Begins a command that may run for at most {@link SpriteRun#timeout}. A command that runs in
   * this replica has ended when this returns; of one that runs elsewhere, the input is not kept.
   *
   * @throws SpriteException if it did not begin or did not end by itself; nothing of it remains
   * @throws InterruptedException if the service stops; the command is stopped, too
   */
  SpriteState begin(SpriteRun run) throws SpriteException, InterruptedException;
}
