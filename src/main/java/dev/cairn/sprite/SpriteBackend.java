package dev.cairn.sprite;

import java.util.List;

/** Runs sprites. Each backend is a bean; {@code cairn.sprite.backend} selects one. */
interface SpriteBackend {
  /** The name in {@code cairn.sprite.backend}. */
  String name();

  /**
   * The secrets with which the service authenticates to the backend at this moment. No command gets
   * them, but the backend may quote a failed request.
   */
  default List<String> secrets() {
    return List.of();
  }

  /**
   * Begins a command that may run for at most {@link SpriteRun#timeout}. A command that runs in
   * this replica has ended when this returns. If it runs elsewhere, this replica does not keep its
   * input.
   *
   * @throws SpriteException if it could not be begun, or was ended; nothing of it remains
   * @throws InterruptedException if the service stops; the command is stopped, too
   */
  SpriteState begin(SpriteRun run) throws SpriteException, InterruptedException;
}
