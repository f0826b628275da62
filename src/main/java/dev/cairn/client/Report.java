package dev.cairn.client;

/**
 * The report of a callback.
 *
 * @param status the state of the action ({@code progress}, {@code succeeded}, {@code failed},
 *     {@code retry})
 * @param message for people; null if absent
 * @param progress how much of it is done; null if absent
 * @param errorCode the code of the error of an attempt, see {@code docs/actions.md}, Codes; null if
 *     absent
 * @param errorMessage the error message; null if absent
 */
public record Report(
    @Values({"progress", "succeeded", "failed", "retry"}) String status,
    @Nullable String message,
    @Nullable Double progress,
    @Nullable String errorCode,
    @Nullable String errorMessage) {}
