package dev.cairn.content;

/**
 * A version whose references are those of an earlier version, since it keeps the payload.
 *
 * @param storedVersion the earlier version
 * @param head whether the version is the present one
 */
public record EdgeCopy(long id, int storedVersion, int version, boolean head) {}
