package dev.cairn.content.write;

/**
 * A version that a commit makes.
 *
 * @param seq the sequence number of the commit
 * @param aboutId the target of an assertion; null for anything else
 * @param data the payload as it is stored; null to keep the payload of the version before the
 *     commit
 * @param writtenData a definition as the operation gave it, if the commit then renamed a shape that
 *     it names; otherwise null
 */
public record NewVersion(
    long seq,
    long entityId,
    int version,
    int opIndex,
    String operation,
    boolean active,
    long shapeId,
    int shapeVersion,
    Long aboutId,
    String data,
    byte[] dataHash,
    String writtenData) {}
