package dev.cairn.sprite;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import io.quarkus.runtime.annotations.RegisterForReflection;
import java.util.Objects;

/**
 * The state of a run, as the service returns it; {@code docs/sprites.md}, The http backend.
 *
 * @param state {@code running}, {@code exited} or {@code failed}
 * @param exitCode only if it has exited
 * @param error only if it has failed: {@code create} or {@code execution}
 * @param message the reason of the failure
 * @param retryable whether another attempt may succeed; null counts as true
 */
@RegisterForReflection
@JsonIgnoreProperties(ignoreUnknown = true)
record SpriteServiceState(
    String state,
    Integer exitCode,
    String stdout,
    String stderr,
    String error,
    String message,
    Boolean retryable) {

  boolean isRunning() {
    return "running".equals(state);
  }

  /** The exit of a run that has ended; throws if it has failed. */
  SpriteExit exit() throws SpriteException {
    if ("exited".equals(state) && exitCode != null) {
      return new SpriteExit(exitCode, text(stdout), text(stderr), true);
    }
    var kind =
        "create".equals(error)
            ? SpriteError.SPRITE_CREATE_FAILED
            : SpriteError.SPRITE_EXECUTION_FAILED;
    var sentence = "The backend could not run the command.";
    var failure =
        Boolean.FALSE.equals(retryable)
            ? SpriteException.terminal(kind, sentence)
            : SpriteException.retryable(kind, sentence);
    // The backend may quote its input, so its message is treated like output.
    throw failure.with(text(message) + "\n" + (text(stderr).isBlank() ? text(stdout) : stderr));
  }

  private static String text(String value) {
    return Objects.requireNonNullElse(value, "");
  }
}
