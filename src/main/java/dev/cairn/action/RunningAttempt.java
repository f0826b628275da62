package dev.cairn.action;

import java.time.Duration;
import java.util.UUID;

/**
 * The attempt that a run is in.
 *
 * @param lease of the worker that has it; null while it waits for a callback
 */
record RunningAttempt(UUID repoId, UUID runId, int number, int maxAttempts, UUID lease) {

  /** Its end, or with {@link RunStatus#RUNNING} that it goes on without a worker. */
  Settlement to(RunStatus status, Duration wait, Settlement.Failure failure, Integer httpStatus) {
    return new Settlement(
        repoId, runId, number, lease, status, wait, failure, httpStatus, 0, false);
  }
}
