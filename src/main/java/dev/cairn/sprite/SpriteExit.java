package dev.cairn.sprite;

/**
 * A command that ended by itself.
 *
 * @param status 0 for success
 * @param output the last of what it wrote to its standard output; it may hold secrets
 * @param errors the same of its standard error; empty if a backend does not separate them
 */
record SpriteExit(int status, String output, String errors) implements SpriteState {
  /** The output that most likely has the reason of a failure. */
  String failureOutput() {
    return errors.isBlank() ? output : errors;
  }
}
