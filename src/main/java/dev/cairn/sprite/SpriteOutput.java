package dev.cairn.sprite;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.cairn.action.SecretMask;
import java.util.Collection;

/** Adds the output of a command to the message of an attempt. */
final class SpriteOutput {
  /** The maximum number of characters of the output in a message, from its end. */
  static final int SHOWN = 2_000;

  private SpriteOutput() {}

  /**
   * A sentence, followed by the end of the output with its secrets masked.
   *
   * @param isTail whether a long output is the end of a longer one; otherwise it may be any part
   */
  static String withOutput(
      String sentence, String output, boolean isTail, Collection<String> secrets) {
    var mask = new SecretMask(secrets, cut(output, isTail));
    var end = end(printable(mask.masked(output)).strip());
    return end.isEmpty() ? sentence : sentence + "\n" + end;
  }

  private static SecretMask.Cut cut(String text, boolean isTail) {
    if (text.getBytes(UTF_8).length < OutputTail.KEPT) {
      return SecretMask.Cut.NONE;
    }
    return isTail ? SecretMask.Cut.BEGINNING : SecretMask.Cut.BOTH;
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
