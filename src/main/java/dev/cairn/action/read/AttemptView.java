package dev.cairn.action.read;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.quarkus.runtime.annotations.RegisterForReflection;
import java.time.Instant;

/**
 * An attempt as callers see it; {@code docs/actions.md}, Reading.
 *
 * @param attempt from 1
 * @param finishedAt null while it has not ended
 * @param httpStatus null if there was no HTTP answer
 * @param errorMessage null if there is none, or if the caller may not see it
 * @param progress 0 to 1, of the last callback that had one; null if none did, or if the caller may
 *     not see it
 * @param message of the last callback that had one; null likewise
 * @param output the beginning of what a command wrote that succeeded; null if it wrote nothing, or
 *     if the caller may not see it
 */
@RegisterForReflection
@JsonInclude(JsonInclude.Include.NON_NULL)
public record AttemptView(
    int attempt,
    String status,
    String executorKind,
    Instant startedAt,
    Instant finishedAt,
    Integer httpStatus,
    String errorCode,
    String errorMessage,
    Double progress,
    String message,
    String output) {

  /** For callers that may not read the repository that the run's commit is from. */
  AttemptView withoutSource() {
    return new AttemptView(
        attempt,
        status,
        executorKind,
        startedAt,
        finishedAt,
        httpStatus,
        errorCode,
        null,
        null,
        null,
        null);
  }
}
