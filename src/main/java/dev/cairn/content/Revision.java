package dev.cairn.content;

/**
 * A change of an entity that was stored before the commit.
 *
 * @param data the payload as it is stored; null to keep it
 */
public record Revision(
    long id, int version, boolean active, int shapeVersion, String data, byte[] dataHash) {}
