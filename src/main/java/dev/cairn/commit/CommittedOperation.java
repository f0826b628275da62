package dev.cairn.commit;

import dev.cairn.model.EntityKind;
import dev.cairn.model.filter.OperationFilter;

/**
 * An operation of a commit that changed something.
 *
 * @param index its position in the commit, from 0
 * @param operation {@code add}, {@code revise}, {@code retract} or {@code rename}
 * @param entityId the entity that got a version or a new name
 * @param shapeId the entity's shape; for a shape its own id
 * @param shapeName the shape's name; {@code Shape} for a shape
 * @param name the local name, after the operation
 * @param wref the local wref without modifier, after the operation
 * @param version the version that it made; for a rename, the current version
 * @param aboutWref the target of an assertion; null for anything else
 */
public record CommittedOperation(
    int index,
    String operation,
    EntityKind kind,
    long entityId,
    long shapeId,
    String shapeName,
    String name,
    String wref,
    int version,
    boolean active,
    String aboutWref)
    implements OperationFilter.Subject {}
