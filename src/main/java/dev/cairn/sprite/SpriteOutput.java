package dev.cairn.sprite;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.BitSet;
import java.util.Collection;

/** The output of a command in the message of an attempt. */
final class SpriteOutput {
  /** A message has this many characters of the output, from its end. */
  static final int SHOWN = 2_000;

  private static final int MIN_SECRET_LENGTH = 4;
  private static final String MASK = "…";

  private SpriteOutput() {}

  /** A sentence, and below it the end of the output with its secrets masked. */
  static String withOutput(String sentence, String output, Collection<String> secrets) {
    var end = end(printable(masked(output, secrets)).strip());
    return end.isEmpty() ? sentence : sentence + "\n" + end;
  }

  private static String masked(String text, Collection<String> secrets) {
    var lines =
        secrets.stream()
            .flatMap(String::lines)
            .map(String::strip)
            .filter(line -> line.length() >= MIN_SECRET_LENGTH)
            .toList();
    var search = new SecretSearch(lines, mayBeCut(text));
    var hidden = search.in(text);
    // A backend that quotes its request may quote it as JSON, in any of the ways to escape that.
    JsonEscapes.in(text)
        .ifPresent(escapes -> hidden.or(escapes.written(search.in(escapes.meant()))));
    return masked(text, hidden);
  }

  /** Whether a text is as long as backends keep them: it may begin or end within a secret. */
  private static boolean mayBeCut(String text) {
    return text.getBytes(UTF_8).length >= OutputTail.KEPT;
  }

  private static String masked(String text, BitSet hidden) {
    var masked = new StringBuilder();
    int shown = 0;
    for (int from = hidden.nextSetBit(0); from >= 0; from = hidden.nextSetBit(shown)) {
      masked.append(text, shown, from).append(MASK);
      shown = hidden.nextClearBit(from);
    }
    return masked.append(text, shown, text.length()).toString();
  }

  private static String printable(String text) {
    return text.codePoints()
        .map(c -> Character.isISOControl(c) && c != '\n' && c != '\t' ? '\uFFFD' : c)
        .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
        .toString();
  }

  private static String end(String text) {
    int from = text.length() - SHOWN;
    if (from <= 0) {
      return text;
    }
    return "…" + text.substring(Character.isLowSurrogate(text.charAt(from)) ? from + 1 : from);
  }
}
