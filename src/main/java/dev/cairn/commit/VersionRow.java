package dev.cairn.commit;

import com.fasterxml.jackson.databind.JsonNode;
import dev.cairn.content.write.Edge;
import dev.cairn.content.write.EdgeCopy;
import dev.cairn.content.write.NewVersion;
import dev.cairn.content.write.PayloadSize;
import dev.cairn.content.write.TargetsHash;
import dev.cairn.model.ErrorCode;
import dev.cairn.model.FieldPath;
import dev.cairn.model.Problem;
import dev.cairn.model.StoredJson;
import java.nio.charset.StandardCharsets;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * One version that a commit makes.
 *
 * @param operation {@code add} or {@code revise}
 * @param hashedAt the operation that gave the payload; an earlier one if this one keeps it
 * @param data the payload; null if the payload of the entity's stored version stays
 * @param references the typed edges out of the payload
 * @param shapeNames the names of shapes in a shape's definition, by their nodes
 */
record VersionRow(
    int opIndex,
    String operation,
    EntityState entity,
    int version,
    boolean active,
    int shapeVersion,
    byte[] dataHash,
    int hashedAt,
    JsonNode data,
    List<ResolvedReference> references,
    Map<JsonNode, String> shapeNames) {
  /**
   * A wref value that was resolved.
   *
   * @param node its node in the payload
   * @param pointer its pointer from the root of the payload
   */
  record ResolvedReference(JsonNode node, FieldPath pointer, EntityState target, int version) {
    String wref() {
      return target.wref() + "@v" + version;
    }

    TargetsHash.Target hashed(UUID home) {
      return new TargetsHash.Target(pointer, target.repoId(home), target.id);
    }
  }

  /**
   * The text to store, with the names as they are at the end of the commit; null to keep it.
   *
   * @throws Problem {@link ErrorCode#PAYLOAD_TOO_LARGE} if its names make it too long
   */
  String storedText() {
    if (data == null) {
      return null;
    }
    if (references.stream().mapToLong(reference -> reference.wref().length()).sum()
        > PayloadSize.MAX_BYTES) {
      throw PayloadSize.tooLong().at("/operations/" + opIndex + "/data");
    }
    var text = text();
    if (text.length() * 3L > PayloadSize.MAX_BYTES
        && text.getBytes(StandardCharsets.UTF_8).length > PayloadSize.MAX_BYTES) {
      throw PayloadSize.tooLong().at("/operations/" + opIndex + "/data");
    }
    return text;
  }

  /**
   * The row to store.
   *
   * @param seq the sequence number of the commit
   * @param number the number of the operation in it
   * @param text the result of {@link #storedText}
   */
  NewVersion row(long seq, int number, String text) {
    return new NewVersion(
        seq,
        entity.id,
        version,
        number,
        operation,
        active,
        entity.shapeId(),
        shapeVersion,
        entity.about == null ? null : entity.about.id(),
        text,
        dataHash,
        areShapesRenamed() ? StoredJson.of(data, namesAsWritten()) : null);
  }

  /** The references out of a payload that the commit gives. */
  Stream<Edge> edges(UUID home) {
    return IntStream.range(0, references.size()).mapToObj(i -> edge(i, references.get(i), home));
  }

  private Edge edge(int ordinal, ResolvedReference to, UUID home) {
    return new Edge(
        entity.id,
        version,
        entity.shapeId(),
        ordinal,
        to.pointer(),
        to.target().repoId(home),
        to.target().id,
        to.version(),
        to.target().foreign == null ? null : to.wref(),
        isLast());
  }

  /** The references of a version that keeps the payload of the stored one. */
  EdgeCopy copy() {
    return new EdgeCopy(entity.storedEdges(), version, isLast());
  }

  private boolean isLast() {
    return version == entity.version;
  }

  /** Whether this commit renames something that the payload names, after it was hashed. */
  boolean isRewritten() {
    return areShapesRenamed()
        || references.stream().anyMatch(reference -> reference.target().isRenamedAfter(hashedAt));
  }

  /** Whether this commit renamed a shape after an operation that gave a definition naming it. */
  boolean areShapesRenamed() {
    return shapeNames.entrySet().stream()
        .anyMatch(name -> !name.getKey().textValue().equals(name.getValue()));
  }

  private Map<JsonNode, String> namesAsWritten() {
    var names = new IdentityHashMap<JsonNode, String>();
    shapeNames.keySet().forEach(node -> names.put(node, node.textValue()));
    return names;
  }

  private String text() {
    var texts = new IdentityHashMap<JsonNode, String>();
    shapeNames.forEach(texts::put);
    references.forEach(reference -> texts.put(reference.node(), reference.wref()));
    return StoredJson.of(data, texts);
  }
}
