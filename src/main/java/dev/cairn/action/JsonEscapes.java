package dev.cairn.action;

import java.util.BitSet;
import java.util.Optional;
import java.util.regex.Pattern;

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
    append(text, at, text.length(), meant, starts);
    starts[meant.length()] = text.length();
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

  /** Where in the text those characters are written that are at these positions of its meaning. */
  BitSet written(BitSet positions) {
    var written = new BitSet(text.length());
    positions.stream().forEach(at -> written.set(starts[at], starts[at + 1]));
    return written;
  }
}
