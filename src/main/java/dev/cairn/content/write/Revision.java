package dev.cairn.content.write;

/**
 * A change of an entity that was stored before the commit.
 *
 * @param seq the sequence number of the commit
 * @param shapeId the id of its shape
 * @param data the payload as it is stored; null to keep it
 * @param isRewritten whether the commit renamed something in the data after its hash was computed
 */
public record Revision(
    long seq,
    long id,
    long shapeId,
    int version,
    boolean active,
    int shapeVersion,
    String data,
    byte[] dataHash,
    boolean isRewritten) {}
