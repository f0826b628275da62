package dev.cairn.sprite;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.cairn.action.SecretMask;
import java.util.Collection;

/** Adds the output of a command to the message of an attempt. */
final class SpriteOutput {
  /** The maximum number of characters of the output in a message, from its end. */
  static final int SHOWN = 2_000;

  private SpriteOutput() {}

  /** A sentence, followed by the end of the output with its secrets masked. */
  static String withOutput(String sentence, String output, Collection<String> secrets) {
    var mask = new SecretMask(secrets, mayBeCut(output));
    var end = end(printable(mask.masked(output)).strip());
    return end.isEmpty() ? sentence : sentence + "\n" + end;
  }

  /** Whether a text may be cut by the backend, and so begin or end within a secret. */
  private static boolean mayBeCut(String text) {
    return text.getBytes(UTF_8).length >= OutputTail.KEPT;
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
