package dev.cairn.content.write;

/**
 * What the current version of an entity refers to, or what the entity is about, by a name that the
 * target has had since that version was written.
 *
 * @param former the local wref with that name and the version
 * @param isAbout whether the entity is about it
 * @param reference the same by today's name; if the entity is about it, with the entity's {@code
 *     about} in place of a reference
 */
public record FormerReference(String former, boolean isAbout, StoredReference reference) {}
