package dev.cairn.action;

import dev.cairn.model.Problem;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** The state of a run; {@code docs/actions.md}, Runs. */
public enum RunStatus {
  PENDING,
  RUNNING,
  RETRY_WAIT,
  SUCCEEDED,
  FAILED_TERMINAL,
  DEAD_LETTER;

  /** The lower-case name in requests, answers and the database. */
  public String wire() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** The status of a name; empty if there is none. */
  public static Optional<RunStatus> of(String wire) {
    return Arrays.stream(values()).filter(status -> status.wire().equals(wire)).findFirst();
  }

  /**
   * The status that a parameter names.
   *
   * @throws Problem {@code VALIDATION_ERROR} if it names none
   */
  public static RunStatus named(String wire) {
    return of(wire)
        .orElseThrow(
            () ->
                Problem.invalid(
                    "?status", "`status` must be one of " + String.join(", ", names()) + "."));
  }

  /** The lower-case names of all of them. */
  static List<String> names() {
    return Arrays.stream(values()).map(RunStatus::wire).toList();
  }

  /** Whether it has not ended. */
  public boolean isOpen() {
    return this == PENDING || this == RUNNING || this == RETRY_WAIT;
  }

  /** Whether it ended without success. */
  public boolean isFailed() {
    return this == FAILED_TERMINAL || this == DEAD_LETTER;
  }
}
