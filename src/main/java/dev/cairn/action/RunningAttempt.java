package dev.cairn.action;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.UUID;

/**
 * The attempt that a run is in.
 *
 * @param lease of the worker that has it; null while it waits for a callback
 */
record RunningAttempt(UUID repoId, UUID runId, int number, int maxAttempts, UUID lease) {
  /** The attempt of a row of {@code action_run}. */
  static RunningAttempt read(ResultSet row) throws SQLException {
    return new RunningAttempt(
        row.getObject("repo_id", UUID.class),
        row.getObject("id", UUID.class),
        row.getInt("attempt_count"),
        row.getInt("max_attempts"),
        row.getObject("lease", UUID.class));
  }

  /** Its result; with {@link RunStatus#RUNNING} it continues without a worker. */
  AttemptResult to(
      RunStatus status, Duration wait, AttemptResult.Failure failure, Integer httpStatus) {
    return new AttemptResult(
        repoId, runId, number, lease, status, wait, failure, httpStatus, null, 0, false);
  }

  /** Its result, if it succeeded. */
  AttemptResult succeeded(Outcome.Succeeded outcome) {
    return to(RunStatus.SUCCEEDED, null, null, outcome.httpStatus()).withOutput(outcome.output());
  }
}
