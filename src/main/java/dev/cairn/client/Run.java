package dev.cairn.client;

import java.util.List;

/**
 * A run of a subscription for a commit or a tick.
 *
 * @param runId a run; a UUID of version 7
 * @param subscriptionName the subscription's name
 * @param commitId the commit, or an id in place of one for a tick; null for callers that may not
 *     read the repository that it is from
 * @param status the state of a run ({@code pending}, {@code running}, {@code retry_wait}, {@code
 *     succeeded}, {@code failed_terminal}, {@code dead_letter})
 * @param executorKind the executor of runs ({@code webhook}, {@code sprite})
 * @param matchedOperationIndexes the operations of the commit that matched, counted from 0; null
 *     for callers that may not read the commit's repository
 * @param attemptCount how many attempts there were
 * @param maxAttempts the maximum number of attempts
 * @param createdAt milliseconds since 1970-01-01 UTC
 * @param updatedAt milliseconds since 1970-01-01 UTC
 * @param lastErrorCode the code of the error of an attempt, see {@code docs/actions.md}, Codes;
 *     null if absent
 * @param lastErrorMessage the error message; null for callers that may not see it, see {@code
 *     docs/actions.md}, What callers see
 */
public record Run(
    String runId,
    String subscriptionName,
    @Nullable String commitId,
    @Values({"pending", "running", "retry_wait", "succeeded", "failed_terminal", "dead_letter"})
        String status,
    @Values({"webhook", "sprite"}) String executorKind,
    @Nullable List<Integer> matchedOperationIndexes,
    int attemptCount,
    int maxAttempts,
    long createdAt,
    long updatedAt,
    @Nullable String lastErrorCode,
    @Nullable String lastErrorMessage) {}
