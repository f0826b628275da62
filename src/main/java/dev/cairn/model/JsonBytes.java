package dev.cairn.model;

/**
 * Steps over parts of a JSON text in UTF-8 without parsing it, in constant memory. It only tells
 * strings, brackets and the rest apart, and never reads beyond the end: in a text that is not valid
 * JSON the positions are some positions in it.
 */
public final class JsonBytes {
  private JsonBytes() {}

  /**
   * The position after a string.
   *
   * @param at the position of its first quote
   */
  public static int afterString(byte[] json, int at) {
    int next = at + 1;
    while (next < json.length && json[next] != '"') {
      next += json[next] == '\\' ? 2 : 1;
    }
    return Math.min(next + 1, json.length);
  }

  /**
   * The position after a value.
   *
   * @param at the position of its first byte, which is no blank
   */
  public static int afterValue(byte[] json, int at) {
    int depth = 0;
    int next = at;
    do {
      switch (next < json.length ? json[next] : 0) {
        case '"' -> next = afterString(json, next);
        case '{', '[' -> {
          depth++;
          next++;
        }
        case '}', ']' -> {
          depth--;
          next++;
        }
        default -> next++;
      }
    } while (next < json.length && (depth > 0 || (depth == 0 && isWithinScalar(json, next))));
    return Math.min(next, json.length);
  }

  /** Whether the value that was begun is a number or a word, and continues here. */
  private static boolean isWithinScalar(byte[] json, int at) {
    byte last = json[at - 1];
    return last != '"' && last != '}' && last != ']' && ",:]} \t\r\n".indexOf(json[at]) < 0;
  }
}
