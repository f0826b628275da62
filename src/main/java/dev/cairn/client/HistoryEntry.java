package dev.cairn.client;

import com.fasterxml.jackson.databind.JsonNode;

/**
 * A version.
 *
 * @param wref the entity by its current name
 * @param version the version, counted from 1
 * @param operation the operation that created it; a retract is a revise
 * @param active whether it is active; an inactive entity keeps its name and its history
 * @param data the data, as its shape defines it, with references as {@code Shape/name@vN}; for a
 *     shape, its definition
 * @param commitId a commit; the first 8 bytes of its hash
 * @param author the author's name
 * @param message the commit's message; null if absent
 * @param createdAt when it was created
 */
public record HistoryEntry(
    String wref,
    int version,
    @Values({"add", "revise"}) String operation,
    boolean active,
    JsonNode data,
    String commitId,
    String author,
    @Nullable String message,
    long createdAt) {}
