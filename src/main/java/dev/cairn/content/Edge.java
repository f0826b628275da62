package dev.cairn.content;

import dev.cairn.model.FieldPath;
import java.util.UUID;

/**
 * A reference out of the payload of a version.
 *
 * @param ordinal its place among the references of the version, from 0
 * @param pointer where in the payload it is
 * @param head whether the version is the present one
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
    boolean head) {}
