package dev.cairn.commit;

import com.fasterxml.jackson.databind.JsonNode;
import dev.cairn.model.ErrorCode;
import dev.cairn.model.FieldPath;
import dev.cairn.model.Problem;
import dev.cairn.model.StoredJson;
import java.nio.charset.StandardCharsets;
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
   * What is stored of one entity at the most, so that a page always has room for one: its data with
   * the names in it, which a rename makes longer. The function {@code rename_in} has it too.
   */
  private static final int MAX_BYTES = 4 * 1024 * 1024;

  /**
   * A wref value that was found.
   *
   * @param node its place in the payload
   * @param pointer the same from the root of the payload
   */
  record ResolvedReference(JsonNode node, FieldPath pointer, EntityState target, int version) {
    String wref() {
      return target.wref() + "@v" + version;
    }
  }

  /**
   * The text to store, with the names as they are at the end of the commit; null to keep it.
   *
   * @throws Problem {@link ErrorCode#PAYLOAD_TOO_LARGE} where its names make it too long
   */
  String storedText() {
    if (data == null) {
      return null;
    }
    if (references.stream().mapToLong(reference -> reference.wref().length()).sum() > MAX_BYTES) {
      throw tooLong().at("/operations/" + opIndex + "/data");
    }
    var text = text();
    if (text.length() * 3L > MAX_BYTES
        && text.getBytes(StandardCharsets.UTF_8).length > MAX_BYTES) {
      throw tooLong().at("/operations/" + opIndex + "/data");
    }
    return text;
  }

  /** The problem of a text with too many long names. */
  static Problem tooLong() {
    return Problem.of(
        ErrorCode.PAYLOAD_TOO_LARGE,
        "With the names that it refers to, the data of one entity has at most 4,194,304 bytes.");
  }

  private String text() {
    var texts = new IdentityHashMap<JsonNode, String>();
    shapeNames.forEach(texts::put);
    references.forEach(reference -> texts.put(reference.node(), reference.wref()));
    return StoredJson.of(data, texts);
  }
}
