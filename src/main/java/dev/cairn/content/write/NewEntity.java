package dev.cairn.content.write;

import dev.cairn.model.EntityKind;

/**
 * An entity that a commit adds, in its state at the end of the commit.
 *
 * @param seq the sequence number of the commit
 * @param data the payload as it is stored
 * @param isRewritten whether the commit renamed something in the data after its hash was computed
 * @param about the target of an assertion; null for anything else
 * @param collectionKey the key that identifies a collection; null for anything else
 * @param opIndex the index of the operation that adds it
 */
public record NewEntity(
    long seq,
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
    boolean isRewritten,
    StoredEntity.About about,
    byte[] collectionKey,
    int opIndex) {}
