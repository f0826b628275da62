package dev.cairn.model;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Map;

/** The canonical form of JSON (RFC 8785), by which payloads are compared and hashed. */
public final class CanonicalJson {
  private CanonicalJson() {}

  /** The canonical text of a value that was read by {@link IJson}. */
  public static String of(JsonNode node) {
    return of(node, Map.of());
  }

  /**
   * The canonical text, with some strings replaced.
   *
   * @param references an identity map from the text node of a wref to the text that replaces it
   */
  public static String of(JsonNode node, Map<JsonNode, String> references) {
    return new JsonWriter(true, false, references).write(node);
  }

  /** The SHA-256 hash (32 bytes) of the text in UTF-8. */
  public static byte[] hash(String canonical) {
    return Sha256.of(canonical);
  }
}
