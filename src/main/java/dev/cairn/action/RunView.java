package dev.cairn.action;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.quarkus.runtime.annotations.RegisterForReflection;
import java.time.Instant;

/**
 * A run as callers see it; {@code docs/actions.md}, Reading.
 *
 * @param commitId 16 hexadecimal digits; of a schedule's tick, what stands for one
 * @param lastErrorCode why the last attempt failed; null unless the run waits or failed for it
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
    String lastErrorMessage) {}
