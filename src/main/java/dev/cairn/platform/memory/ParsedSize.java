package dev.cairn.platform.memory;

/**
 * Estimates the heap memory of a JSON body that is parsed and written to the database, by counting
 * its values without parsing it. Objects take many times the length of their text. The constants
 * are the sizes of Jackson's nodes in a heap with compressed pointers; all names count as
 * different.
 */
final class ParsedSize {
  /** An object node with its map and the map's table. */
  private static final int OBJECT = 176;

  /** An array node with its list and the list's array. */
  private static final int ARRAY = 104;

  /** A text node and its string, without the characters; of a name only the string. */
  private static final int STRING = 56;

  /** An entry of a map, less the node that its name does not have. */
  private static final int MEMBER = 44 - 16;

  /** A number, and its place in an array. */
  private static final int ITEM = 32;

  /** A member whose value is an object, the largest value there is. */
  private static final int MAX_VALUE = OBJECT + STRING + MEMBER + ITEM;

  /** Copies of the text: the stored form and the parameter of the statement. */
  private static final int COPIES = 2;

  /** The same, with the characters in the node. */
  private static final int COPIES_IN_STRING = COPIES + 2;

  private long bytes;
  private boolean isInString;
  private boolean isEscaped;

  /**
   * The estimate for a whole body.
   *
   * @param json need not be valid
   * @return bytes
   */
  static long of(byte[] json) {
    var size = new ParsedSize();
    size.add(json, json.length);
    return size.bytes();
  }

  /** The largest estimate for a body of {@code length} bytes with at most {@code maxValues}. */
  static long max(int length, int maxValues) {
    return (long) length * COPIES_IN_STRING + (long) maxValues * MAX_VALUE;
  }

  /** Adds the first {@code length} bytes of the next part of a body. */
  void add(byte[] json, int length) {
    for (int i = 0; i < length; i++) {
      if (isInString) {
        inString(json[i]);
      } else {
        outside(json[i]);
      }
    }
  }

  /** The estimate for all added parts. */
  long bytes() {
    return bytes;
  }

  private void inString(byte b) {
    bytes += COPIES_IN_STRING;
    if (isEscaped) {
      isEscaped = false;
    } else if (b == '\\') {
      isEscaped = true;
    } else if (b == '"') {
      isInString = false;
    }
  }

  private void outside(byte b) {
    bytes += COPIES;
    switch (b) {
      case '"' -> {
        isInString = true;
        bytes += STRING;
      }
      case '{' -> bytes += OBJECT;
      case '[' -> bytes += ARRAY;
      case ':' -> bytes += MEMBER;
      case ',' -> bytes += ITEM;
      default -> {}
    }
  }
}
