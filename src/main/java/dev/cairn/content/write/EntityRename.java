package dev.cairn.content.write;

/**
 * A rename of an entity by a commit.
 *
 * @param opIndex the index of the operation in the commit
 * @param id the id of the entity
 * @param isShape whether the entity is a shape, whose name is also part of the wrefs of its things
 */
public record EntityRename(int opIndex, long id, boolean isShape, String oldName, String newName) {}
