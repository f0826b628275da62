package dev.cairn.client;

/**
 * The new status of a run.
 *
 * @param ok always true
 * @param runId a run; a UUID of version 7
 * @param status the state of a run ({@code pending}, {@code running}, {@code retry_wait}, {@code
 *     succeeded}, {@code failed_terminal}, {@code dead_letter})
 */
public record RunState(
    boolean ok,
    String runId,
    @Values({"pending", "running", "retry_wait", "succeeded", "failed_terminal", "dead_letter"})
        String status) {}
