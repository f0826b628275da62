package dev.cairn.commit;

import dev.cairn.model.BuiltinShape;
import dev.cairn.model.Wref;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;

/**
 * The entities that the operations of a commit name, by their current names: a rename moves an
 * entity, an add inserts one. Things are keyed by the id of their shape, so that renaming a shape
 * moves all of them at once.
 */
final class KnownEntities {
  private final Map<String, EntityState> shapes = new HashMap<>();
  private final Map<IdAndText, EntityState> things = new HashMap<>();
  private final Map<String, EntityState> foreign = new HashMap<>();
  private final Map<String, EntityState> collections = new HashMap<>();

  /** The entities of this repository by their ids, which stay when they are renamed. */
  private final Map<Long, EntityState> byId = new HashMap<>();

  void put(EntityState entity) {
    if (entity.foreign == null) {
      byId.put(entity.id, entity);
    }
    if (entity.foreign != null) {
      foreign.put(entity.wref(), entity);
    } else if (entity.shapeId() == BuiltinShape.SHAPE.id()) {
      shapes.put(entity.name, entity);
    } else {
      things.put(new IdAndText(entity.shapeId(), entity.name), entity);
    }
    if (entity.collectionKey != null) {
      collections.put(key(entity.collectionKey), entity);
    }
  }

  void rename(EntityState entity, String newName) {
    if (entity.shapeId() == BuiltinShape.SHAPE.id()) {
      shapes.remove(entity.name);
    } else {
      things.remove(new IdAndText(entity.shapeId(), entity.name));
    }
    entity.name = newName;
    put(entity);
  }

  /** The shape with that name at this point of the commit, or null. */
  EntityState shape(String name) {
    return shapes.get(name);
  }

  /** The entity that a wref names at this point of the commit, or null; the modifier is ignored. */
  EntityState find(Wref wref) {
    if (!wref.isLocal()) {
      return foreign.get(wref.unversioned());
    }
    return find(wref.shape(), wref.name());
  }

  EntityState find(String shapeName, String name) {
    if (shapeName.equals(BuiltinShape.SHAPE.shapeName())) {
      return shapes.get(name);
    }
    var shape = shapes.get(shapeName);
    return shape == null ? null : things.get(new IdAndText(shape.id, name));
  }

  /** The entity of this repository with that id, or null if the batch does not name it. */
  EntityState entity(long id) {
    return byId.get(id);
  }

  /** The collection with that key, or null. */
  EntityState collection(byte[] collectionKey) {
    return collections.get(key(collectionKey));
  }

  private static String key(byte[] bytes) {
    return new String(bytes, StandardCharsets.ISO_8859_1);
  }
}
