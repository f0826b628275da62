package dev.cairn.content.write;

import dev.cairn.model.FieldPath;
import java.util.UUID;

/**
 * A reference out of the payload of a version.
 *
 * @param ordinal its position among the references of the version, from 0
 * @param pointer the pointer to it in the payload
 * @param toWref the wref in the payload if it leads into another repository; otherwise null
 * @param isHead whether the version is the current one
 */
public record Edge(
    long fromId,
    int fromVersion,
    long fromShapeId,
    int ordinal,
    FieldPath pointer,
    UUID toRepoId,
    long toId,
    int toVersion,
    String toWref,
    boolean isHead) {}
