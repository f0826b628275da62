package dev.cairn.action;

import java.util.BitSet;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.IntStream;

/**
 * A text as a parser of JSON strings understands it, whoever wrote its escapes.
 *
 * @param text as it is written
 * @param meant what that means
 * @param starts where each character of {@code meant} begins in {@code text}, and the end of it
 */
record JsonEscapes(String text, String meant, int[] starts) {
  private static final Pattern ESCAPE =
      Pattern.compile("\\\\(?:u(\\p{XDigit}{4})|([\"\\\\/bfnrt]))");

  /** A text that means what is written. */
  static JsonEscapes none(String text) {
    return new JsonEscapes(text, text, IntStream.rangeClosed(0, text.length()).toArray());
  }

  /** A text; empty if it has no escapes. */
  static Optional<JsonEscapes> in(String text) {
    var escape = ESCAPE.matcher(text);
    var meant = new StringBuilder();
    var starts = new int[text.length() + 1];
    int at = 0;
    while (escape.find()) {
      at = append(text, at, escape.start(), meant, starts);
      starts[meant.length()] = at;
      meant.append(
          escape.group(1) != null
              ? (char) Integer.parseInt(escape.group(1), 16)
              : character(escape.group(2).charAt(0)));
      at = escape.end();
    }
    if (at == 0) {
      return Optional.empty();
    }
    starts[meant.length()] = append(text, at, text.length(), meant, starts);
    return Optional.of(new JsonEscapes(text, meant.toString(), starts));
  }

  private static int append(String text, int from, int to, StringBuilder meant, int[] starts) {
    for (int i = from; i < to; i++) {
      starts[meant.length()] = i;
      meant.append(text.charAt(i));
    }
    return to;
  }

  private static char character(char name) {
    return switch (name) {
      case 'b' -> '\b';
      case 'f' -> '\f';
      case 'n' -> '\n';
      case 'r' -> '\r';
      case 't' -> '\t';
      default -> name;
    };
  }

  /**
   * The text as it is written, with a mask in place of each part that is hidden.
   *
   * @param hidden characters of {@code meant}
   */
  String masked(BitSet hidden, String mask) {
    var masked = new StringBuilder();
    int shown = 0;
    for (int from = hidden.nextSetBit(0); from >= 0; from = hidden.nextSetBit(shown)) {
      masked.append(text, starts[shown], starts[from]).append(mask);
      shown = hidden.nextClearBit(from);
    }
    return masked.append(text, starts[shown], text.length()).toString();
  }
}
