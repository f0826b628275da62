package dev.cairn.content;

/**
 * A change of a name by a commit.
 *
 * @param opIndex the operation of the commit
 * @param id the entity
 * @param isShape whether the entity is a shape, whose name the names of its things begin with
 */
public record EntityRename(int opIndex, long id, boolean isShape, String oldName, String newName) {}
