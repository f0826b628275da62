package dev.cairn.model;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.function.UnaryOperator;

/**
 * The form in which payloads are stored, see {@code docs/model.md}, Stored JSON: compact, with the
 * members in their own order, and each reference between two marks inside its quotes, so that a
 * rename can find and replace it. The mark cannot occur elsewhere, because compact JSON escapes
 * control characters.
 */
public final class StoredJson {
  /** The mark before and after every reference: U+0001. */
  public static final char MARK = '\u0001';

  private StoredJson() {}

  /**
   * The stored text of a value.
   *
   * @param references an identity map from the text node of a wref to the text that replaces it
   */
  public static String of(JsonNode node, Map<JsonNode, String> references) {
    return new JsonWriter(false, true, references, _ -> {}).write(node);
  }

  /** The text, escaped for use between the quotes of a JSON string. */
  public static String escape(String text) {
    var out = new StringBuilder(text.length() + 2);
    JsonWriter.escape(text, out);
    return out.toString();
  }

  /**
   * The stored text in the form that was hashed, unless an entity that it refers to was renamed
   * since: without marks, and with references without their versions.
   */
  public static String unversioned(String stored) {
    if (stored.indexOf(MARK) < 0) {
      return stored;
    }
    var out = new StringBuilder(stored.length());
    int from = 0;
    for (int open = stored.indexOf(MARK); open >= 0; open = stored.indexOf(MARK, from)) {
      int close = stored.indexOf(MARK, open + 1);
      if (close < 0) {
        break;
      }
      int at = stored.indexOf('@', open);
      out.append(stored, from, open).append(stored, open + 1, at >= 0 && at < close ? at : close);
      from = close + 1;
    }
    return out.append(stored, from, stored.length()).toString();
  }

  /** The references in a stored text, each once, unescaped. */
  public static Set<String> references(String stored) {
    var found = new HashSet<String>();
    int open = stored.indexOf(MARK);
    while (open >= 0) {
      int close = stored.indexOf(MARK, open + 1);
      // The quotation mark is the only character of a name that stored text escapes.
      found.add(stored.substring(open + 1, close).replace("\\\"", "\""));
      open = stored.indexOf(MARK, close + 1);
    }
    return found;
  }

  /** The stored text with other texts between its marks. */
  public static String replaced(String stored, UnaryOperator<String> other) {
    var out = new StringBuilder(stored.length());
    int from = 0;
    for (int open = stored.indexOf(MARK); open >= 0; open = stored.indexOf(MARK, from)) {
      int close = stored.indexOf(MARK, open + 1);
      out.append(stored, from, open + 1).append(other.apply(stored.substring(open + 1, close)));
      out.append(MARK);
      from = close + 1;
    }
    return out.append(stored, from, stored.length()).toString();
  }

  /** The stored text without its marks, which is JSON. */
  public static String plain(String stored) {
    return stored.replace(String.valueOf(MARK), "");
  }
}
