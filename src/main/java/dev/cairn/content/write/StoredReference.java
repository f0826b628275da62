package dev.cairn.content.write;

import java.util.UUID;

/**
 * A reference out of the current version of an entity.
 *
 * @param wref as the stored payload has it, with the version
 * @param toShapeId the id of the target's shape; 0 for a target in another repository
 */
public record StoredReference(
    long fromId, String wref, UUID toRepoId, long toId, int toVersion, long toShapeId) {}
