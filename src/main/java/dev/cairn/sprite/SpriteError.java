package dev.cairn.sprite;

/** The codes of failed attempts; the name is the code. See {@code docs/sprites.md}, Failures. */
enum SpriteError {
  CREDENTIALS_UNAVAILABLE,
  SPRITE_AUTH_MISSING,
  SPRITE_CREATE_FAILED,
  SPRITE_EXECUTION_FAILED,
  SPRITE_EXIT_NONZERO,
  SPRITE_EXEC_HTTP_ERROR,
  SUBSCRIPTION_DELETED
}
