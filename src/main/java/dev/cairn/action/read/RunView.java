package dev.cairn.action.read;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.quarkus.runtime.annotations.RegisterForReflection;
import java.time.Instant;

/**
 * A run as callers see it; {@code docs/actions.md}, Reading.
 *
 * @param commitId 16 hexadecimal digits; of a schedule's tick, an id in place of one; null if the
 *     caller may not read the repository that the commit is from
 * @param matchedOperationIndexes null likewise
 * @param lastErrorCode why the last attempt failed; null unless the run waits or failed for it
 * @param lastErrorMessage null likewise, or if the caller may not see it
 */
@RegisterForReflection
@JsonInclude(JsonInclude.Include.NON_NULL)
public record RunView(
    String runId,
    String subscriptionName,
    String commitId,
    String status,
    String executorKind,
    int[] matchedOperationIndexes,
    int attemptCount,
    int maxAttempts,
    Instant createdAt,
    Instant updatedAt,
    String lastErrorCode,
    String lastErrorMessage) {

  /** For callers that may not read the repository that the run's commit is from. */
  RunView withoutSource() {
    return new RunView(
        runId,
        subscriptionName,
        null,
        status,
        executorKind,
        null,
        attemptCount,
        maxAttempts,
        createdAt,
        updatedAt,
        lastErrorCode,
        null);
  }
}
