package dev.cairn.sprite;

import java.util.Collection;
import java.util.Comparator;

/** What a command wrote, made fit for the message of an attempt. */
final class SpriteOutput {
  /** The characters of the output that a message holds; its end says why it failed. */
  static final int SHOWN = 2_000;

  private static final int LEAST_SECRET = 4;

  private SpriteOutput() {}

  /** A sentence, and under it the end of the output without secrets. */
  static String told(String sentence, String output, Collection<String> secrets) {
    var end = end(printable(masked(output, secrets)).strip());
    return end.isEmpty() ? sentence : sentence + "\n" + end;
  }

  /** Longer ones first: one secret may hold another one. */
  private static String masked(String text, Collection<String> secrets) {
    var masked = text;
    for (var secret :
        secrets.stream()
            .flatMap(String::lines)
            .map(String::strip)
            .filter(line -> line.length() >= LEAST_SECRET)
            .sorted(Comparator.comparingInt(String::length).reversed())
            .toList()) {
      masked = masked.replace(secret, "…");
    }
    return masked;
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
