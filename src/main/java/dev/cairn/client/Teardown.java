package dev.cairn.client;

/**
 * How to tear a component down.
 *
 * @param subscriptions what becomes of its subscriptions ({@code pause}, {@code delete}); what the
 *     manifest says by default; null if absent
 * @param dryRun whether it is only planned; false by default; null if absent
 */
public record Teardown(
    @Nullable @Values({"pause", "delete"}) String subscriptions, @Nullable Boolean dryRun) {}
