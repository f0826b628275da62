package dev.cairn.content.write;

import dev.cairn.model.EntityKind;
import dev.cairn.platform.database.Columns;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * How commits change the numbers of entities in {@code entity_count}. They are counted by the ids
 * of shapes, so that the rename of a shape changes none.
 */
public final class CountChanges {
  private final Map<Key, Long> changes = new LinkedHashMap<>();

  private record Key(long shapeId, EntityKind kind, boolean active) {}

  /** Counts an entity that is added. */
  public void added(long shapeId, EntityKind kind, boolean active) {
    changes.merge(new Key(shapeId, kind, active), 1L, Long::sum);
  }

  /** Counts an entity that becomes active or inactive. */
  public void activated(long shapeId, EntityKind kind, boolean active) {
    added(shapeId, kind, active);
    changes.merge(new Key(shapeId, kind, !active), -1L, Long::sum);
  }

  /** The columns {@code shape_id, kind, active, change}. */
  List<Object> columns() {
    var keys = changes.keySet();
    return List.of(
        Columns.longs(keys, Key::shapeId),
        Columns.strings(keys, key -> key.kind().wire()),
        Columns.booleans(keys, Key::active),
        Columns.longs(changes.values(), Long::longValue));
  }
}
