package dev.cairn.action;

import dev.cairn.model.Problem;
import java.util.UUID;

/** The ids of runs in requests. */
public final class RunId {
  private RunId() {}

  /**
   * A run's id as requests name it.
   *
   * @throws Problem {@code VALIDATION_ERROR} for anything else
   */
  public static UUID of(String text) {
    try {
      var id = UUID.fromString(text);
      if (id.toString().equals(text)) {
        return id;
      }
    } catch (IllegalArgumentException e) {
      // the same answer as for another spelling
    }
    throw Problem.invalid("?runId", "A run's id must be a UUID in lower case.");
  }
}
