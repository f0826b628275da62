package dev.cairn.sprite;

import java.util.Collection;
import java.util.Comparator;

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
    // Longer ones first: one secret may contain another one.
    var lines =
        secrets.stream()
            .flatMap(String::lines)
            .map(String::strip)
            .filter(line -> line.length() >= MIN_SECRET_LENGTH)
            .sorted(Comparator.comparingInt(String::length).reversed())
            .toList();
    var masked = text;
    for (var line : lines) {
      masked = masked.replace(line, MASK);
    }
    // A backend that quotes its request may quote it as JSON, in any of the ways to escape that.
    return JsonEscapes.in(masked).map(escapes -> escapes.masked(lines, MASK)).orElse(masked);
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
