package dev.cairn.content.write;

/**
 * A version that has the references of a stored version, because it keeps the payload.
 *
 * @param isHead whether the version is the current one
 */
public record EdgeCopy(StoredEdges stored, int version, boolean isHead) {}
