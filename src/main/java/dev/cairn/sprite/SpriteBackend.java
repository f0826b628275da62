package dev.cairn.sprite;

/** Where sprites run. Each is a bean; {@code cairn.sprite.backend} chooses among them. */
interface SpriteBackend {
  /** The name in {@code cairn.sprite.backend}. */
  String name();

  /**
   * Begins a command that may run for {@link SpriteRun#timeout} at the most. What runs here has
   * ended when this returns; of what runs elsewhere the input is not kept.
   *
   * @throws SpriteException where it did not begin, or come to its end; nothing of it is left
   * @throws InterruptedException when the service stops; the command is stopped, too
   */
  SpriteState begin(SpriteRun run) throws SpriteException, InterruptedException;
}
