package dev.cairn.content.write;

/**
 * A rename of an entity by a commit.
 *
 * @param opIndex the index of the operation in the commit
 * @param id the id of the entity
 * @param isShape whether the entity is a shape, whose name is also part of the wrefs of its things
 * @param isStored whether an earlier commit added the entity, so that stored texts may name it
 */
public record EntityRename(
    int opIndex, long id, boolean isShape, boolean isStored, String oldName, String newName) {}
