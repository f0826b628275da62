package dev.cairn.mcp;

import dev.cairn.model.JsonBytes;
import java.nio.charset.StandardCharsets;

/**
 * Looks for a member in the bytes of a JSON text that is too long to be parsed as a tree, in
 * constant memory. Whether the text is valid JSON is decided by those who parse its parts.
 */
final class JsonSearch {
  private final byte[] json;
  private int at;

  /** A search that is at the beginning of a text. */
  JsonSearch(byte[] json) {
    this.json = json;
    skipBlanks();
  }

  /** Where it is. */
  int position() {
    return at;
  }

  /**
   * Moves from the beginning of an object to the value of its first member of a name.
   *
   * @param member without characters that JSON escapes
   * @return whether there is such an object and member
   */
  boolean enter(String member) {
    if (peek() != '{') {
      return false;
    }
    at++;
    skipBlanks();
    while (peek() == '"') {
      int name = at + 1;
      at = JsonBytes.afterString(json, at);
      boolean isFound = isText(name, at - 1, member);
      skipBlanks();
      if (peek() != ':') {
        return false;
      }
      at++;
      skipBlanks();
      if (isFound) {
        return peek() != 0;
      }
      skipValue();
      skipBlanks();
      if (peek() == ',') {
        at++;
        skipBlanks();
      }
    }
    return false;
  }

  private boolean isText(int from, int to, String text) {
    return to - from == text.length()
        && new String(json, from, to - from, StandardCharsets.ISO_8859_1).equals(text);
  }

  /** Moves from the beginning of a value to its end. */
  void skipValue() {
    at = JsonBytes.afterValue(json, at);
  }

  private void skipBlanks() {
    while (" \t\r\n".indexOf(peek()) >= 0) {
      at++;
    }
  }

  /** The next byte; 0 at the end of the text. */
  private int peek() {
    return at < json.length ? json[at] : 0;
  }
}
