package dev.cairn.commit;

import java.util.function.IntConsumer;

/**
 * Finds the references to results of operations ({@code $n}) in the text of JSON without parsing
 * it. It may find too many, since it does not know which strings are references.
 */
final class ResultReferences {
  /** As {@link dev.cairn.model.Link} reads them. */
  private static final int MAX_DIGITS = 7;

  private static final int ESCAPE_LENGTH = 6;
  private static final int HEXADECIMAL = 16;

  private final byte[] json;
  private int at;

  private ResultReferences(byte[] json, int at) {
    this.json = json;
    this.at = at;
  }

  /** Passes the number of each string that is {@code $} and a number. */
  static void each(byte[] json, IntConsumer found) {
    for (int i = 0; i < json.length; i++) {
      if (json[i] == '"') {
        int number = new ResultReferences(json, i + 1).number();
        if (number >= 0) {
          found.accept(number);
        }
      }
    }
  }

  /** The number of the string that begins here; -1 if it is not a reference. */
  private int number() {
    if (next() != '$') {
      return -1;
    }
    int number = 0;
    for (int digits = 0; digits <= MAX_DIGITS; digits++) {
      int character = next();
      if (character == '"') {
        return digits == 0 ? -1 : number;
      }
      if (character < '0' || character > '9') {
        return -1;
      }
      number = 10 * number + character - '0';
    }
    return -1;
  }

  /** The next character, which may be written as an escape of Unicode; -1 if there is none. */
  private int next() {
    if (at >= json.length) {
      return -1;
    }
    if (json[at] != '\\') {
      return json[at++];
    }
    if (at + ESCAPE_LENGTH > json.length || json[at + 1] != 'u') {
      return -1;
    }
    int character = 0;
    for (int i = at + 2; i < at + ESCAPE_LENGTH; i++) {
      int digit = Character.digit(json[i], HEXADECIMAL);
      if (digit < 0) {
        return -1;
      }
      character = HEXADECIMAL * character + digit;
    }
    at += ESCAPE_LENGTH;
    // A quotation mark that is written so does not end the string.
    return character == '"' ? -1 : character;
  }
}
