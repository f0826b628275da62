package dev.cairn.content.write;

/**
 * A version that has the references of an earlier version, because it keeps the payload.
 *
 * @param storedVersion the earlier version
 * @param isHead whether the version is the current one
 */
public record EdgeCopy(long id, int storedVersion, int version, boolean isHead) {}
