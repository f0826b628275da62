package dev.cairn.commit;

import com.fasterxml.jackson.databind.JsonNode;
import dev.cairn.model.StoredJson;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;

/**
 * One version that a commit makes.
 *
 * @param operation {@code add} or {@code revise}
 * @param data the payload; null where that of the entity's stored version stays
 * @param references the typed edges out of the payload
 * @param shapeNames the places in a shape's definition that name shapes
 */
record VersionRow(
    int opIndex,
    String operation,
    EntityState entity,
    int version,
    boolean active,
    int shapeVersion,
    byte[] dataHash,
    JsonNode data,
    List<ResolvedReference> references,
    Map<JsonNode, String> shapeNames) {

  /**
   * A wref value that was found.
   *
   * @param node its place in the payload
   */
  record ResolvedReference(JsonNode node, String pointer, EntityState target, int version) {
    String wref() {
      return target.wref() + "@v" + version;
    }
  }

  /** The text to store, with the names as they are at the end of the commit; null to keep it. */
  String storedText() {
    if (data == null) {
      return null;
    }
    var texts = new IdentityHashMap<JsonNode, String>();
    shapeNames.forEach(texts::put);
    references.forEach(reference -> texts.put(reference.node(), reference.wref()));
    return StoredJson.of(data, texts);
  }
}
