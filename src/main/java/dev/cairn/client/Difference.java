package dev.cairn.client;

/**
 * The change of an entity between two moments.
 *
 * @param wref the entity by its current name
 * @param change how it changed
 * @param fromVersion the version at the first moment; null if it was added
 * @param toVersion the version at the second moment; null if absent
 * @param fromWref the wref at the first moment, if it was renamed since; null if absent
 */
public record Difference(
    String wref,
    @Values({"added", "revised", "retracted", "restored", "renamed"}) String change,
    @Nullable Integer fromVersion,
    @Nullable Integer toVersion,
    @Nullable String fromWref) {}
