package dev.cairn.action;

import dev.cairn.model.Problem;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** Where a run stands; {@code docs/actions.md}, Runs. */
enum RunStatus {
  PENDING,
  RUNNING,
  RETRY_WAIT,
  SUCCEEDED,
  FAILED_TERMINAL,
  DEAD_LETTER;

  /** The lower-case word of requests, answers and the database. */
  String wire() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** The status that a word names, if it does. */
  static Optional<RunStatus> of(String wire) {
    return Arrays.stream(values()).filter(status -> status.wire().equals(wire)).findFirst();
  }

  /**
   * The status that a parameter names.
   *
   * @throws Problem {@code VALIDATION_ERROR} where it names none
   */
  static RunStatus named(String word) {
    return of(word)
        .orElseThrow(
            () ->
                Problem.invalid(
                    "status", "`status` is one of " + String.join(", ", words()) + "."));
  }

  /** The words of all of them. */
  static List<String> words() {
    return Arrays.stream(values()).map(RunStatus::wire).toList();
  }

  /** Whether something is still to come. */
  boolean isOpen() {
    return this == PENDING || this == RUNNING || this == RETRY_WAIT;
  }

  /** Whether it ended without success. */
  boolean isFailed() {
    return this == FAILED_TERMINAL || this == DEAD_LETTER;
  }
}
