package dev.cairn.content;

import dev.cairn.model.EntityKind;

/**
 * An entity that a commit adds, as the commit leaves it.
 *
 * @param data the payload as it is stored
 * @param about the target of an assertion; null for anything else
 * @param collectionKey what identifies a collection; null for anything else
 * @param opIndex the operation of the commit that adds it
 */
public record NewEntity(
    long id,
    EntityKind kind,
    long shapeId,
    String shapeName,
    String name,
    int version,
    boolean active,
    int shapeVersion,
    String data,
    byte[] dataHash,
    StoredEntity.About about,
    byte[] collectionKey,
    int opIndex) {}
