package dev.cairn.model;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Optional;

/** The canonical form of JSON (RFC 8785), by which payloads are compared and hashed. */
public final class CanonicalJson {
  /** Characters after which a part is hashed. */
  private static final int PART_CHARACTERS = 64 * 1024;

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
    return new JsonWriter(true, false, references, _ -> {}).write(node);
  }

  /**
   * The same, but at most a little more than {@code max} characters: a few bytes of a body may
   * stand for many, as in {@code 1e20}.
   *
   * @return empty if there are more
   */
  public static Optional<String> of(JsonNode node, Map<JsonNode, String> references, int max) {
    try {
      var text =
          new JsonWriter(true, false, references, out -> requireAtMost(max, out)).write(node);
      return Optional.of(text);
    } catch (TooLongException _) {
      return Optional.empty();
    }
  }

  private static void requireAtMost(int max, StringBuilder text) {
    if (text.length() > max) {
      throw new TooLongException();
    }
  }

  private static final class TooLongException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    TooLongException() {
      super("the text is too long", null, false, false);
    }
  }

  /** The SHA-256 hash (32 bytes) of the canonical text of a value, which is not made as a whole. */
  public static byte[] hash(JsonNode node) {
    var digest = Sha256.digest();
    var rest =
        new JsonWriter(
                true,
                false,
                Map.of(),
                out -> {
                  if (out.length() > PART_CHARACTERS) {
                    digest.update(out.toString().getBytes(StandardCharsets.UTF_8));
                    out.setLength(0);
                  }
                })
            .write(node);
    return digest.digest(rest.getBytes(StandardCharsets.UTF_8));
  }

  /** The SHA-256 hash (32 bytes) of the text in UTF-8. */
  public static byte[] hash(String canonical) {
    return Sha256.of(canonical);
  }
}
