package dev.cairn.client;

/**
 * One attempt at a run.
 *
 * @param attempt its number
 * @param status its state ({@code started}, {@code succeeded}, {@code failed})
 * @param executorKind the executor of runs ({@code webhook}, {@code sprite})
 * @param startedAt milliseconds since 1970-01-01 UTC
 * @param finishedAt milliseconds since 1970-01-01 UTC; null if absent
 * @param httpStatus the HTTP status of the receiver's answer; null if absent
 * @param errorCode the code of the error of an attempt, see {@code docs/actions.md}, Codes; null if
 *     absent
 * @param errorMessage the error message; null for callers that may not see it, see {@code
 *     docs/actions.md}, What callers see
 * @param progress the progress of the last callback that had one; only for callers that may read
 *     the repository and change subscriptions; null if absent
 * @param message the message of the last callback that had one; only for callers that may read the
 *     repository and change subscriptions; null if absent
 * @param output the beginning of what a command wrote that succeeded; only for callers that may
 *     read the repository and change subscriptions; null if absent
 */
public record Attempt(
    int attempt,
    @Values({"started", "succeeded", "failed"}) String status,
    @Values({"webhook", "sprite"}) String executorKind,
    long startedAt,
    @Nullable Long finishedAt,
    @Nullable Integer httpStatus,
    @Nullable String errorCode,
    @Nullable String errorMessage,
    @Nullable Double progress,
    @Nullable String message,
    @Nullable String output) {}
