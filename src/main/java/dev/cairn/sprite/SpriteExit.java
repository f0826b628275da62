package dev.cairn.sprite;

/**
 * A command that ran to its end.
 *
 * @param status 0 for success
 * @param output the last of what it wrote to its standard output; it may hold secrets
 * @param errors the same of its standard error; empty where a backend does not tell them apart
 */
record SpriteExit(int status, String output, String errors) implements SpriteState {
  /** What says most of why it failed. */
  String telling() {
    return errors.isBlank() ? output : errors;
  }
}
