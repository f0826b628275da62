package dev.cairn.sprite;

/** Where sprites run. Each is a bean; {@code cairn.sprite.backend} chooses among them. */
interface SpriteBackend {
  /** The name in {@code cairn.sprite.backend}. */
  String name();

  /**
   * Runs a command to its end, at most for {@link SpriteRun#timeout}, and leaves nothing of it
   * behind.
   *
   * @throws SpriteException where it did not come to its end
   * @throws InterruptedException when the service stops; the command is stopped, too
   */
  SpriteExit run(SpriteRun run) throws SpriteException, InterruptedException;
}
