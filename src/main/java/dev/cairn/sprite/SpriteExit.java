package dev.cairn.sprite;

/**
 * A command that has exited.
 *
 * @param status 0 for success
 * @param output the end of its standard output, which may contain secrets
 * @param errors the end of its standard error; empty if the backend does not separate them
 * @param isTail whether what was cut of them is known to be their beginnings
 */
record SpriteExit(int status, String output, String errors, boolean isTail) implements SpriteState {
  /** One whose outputs are whole, or may have been cut anywhere. */
  SpriteExit(int status, String output, String errors) {
    this(status, output, errors, false);
  }

  /** The output that most likely contains the reason of a failure. */
  String failureOutput() {
    return errors.isBlank() ? output : errors;
  }

  /** The output that most likely contains the result of a success. */
  String successOutput() {
    return output.isBlank() ? errors : output;
  }
}
