package dev.cairn.sprite;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.cairn.action.SecretMask;
import java.util.Collection;

/** What an attempt shows of the output of a command. */
final class SpriteOutput {
  /** The maximum number of characters of the output that are shown. */
  static final int MAX_CHARACTERS = 2_000;

  private SpriteOutput() {}

  /**
   * A sentence, followed by the end of the output with its secrets masked.
   *
   * @param isTail whether a long output is the end of a longer one; otherwise it may be any part
   */
  static String withOutput(
      String sentence, String output, boolean isTail, Collection<String> secrets) {
    var end = end(masked(output, isTail, secrets));
    return end.isEmpty() ? sentence : sentence + "\n" + end;
  }

  /**
   * The beginning of an output with its secrets masked; null if it is blank.
   *
   * @param isTail as in {@link #withOutput}: of a long output, this is the beginning of its end
   */
  static String beginning(String output, boolean isTail, Collection<String> secrets) {
    var beginning = beginning(masked(output, isTail, secrets));
    return beginning.isEmpty() ? null : beginning;
  }

  /**
   * What is kept of the output, masked before a part of it is taken, so that no half of a secret is
   * left. As much again before it is searched too, for secrets that begin there.
   */
  private static String masked(String output, boolean isTail, Collection<String> secrets) {
    var searched = last(output, 2 * OutputTail.MAX_BYTES);
    int from = searched.length() - last(searched, OutputTail.MAX_BYTES).length();
    var mask = new SecretMask(secrets, cut(searched, isTail));
    return printable(mask.masked(searched, from)).strip();
  }

  private static SecretMask.Cut cut(String text, boolean isTail) {
    if (text.getBytes(UTF_8).length < OutputTail.MAX_BYTES) {
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

  private static String beginning(String text) {
    if (text.length() <= MAX_CHARACTERS) {
      return text;
    }
    int to =
        Character.isHighSurrogate(text.charAt(MAX_CHARACTERS - 1))
            ? MAX_CHARACTERS - 1
            : MAX_CHARACTERS;
    return text.substring(0, to) + "…";
  }

  private static String end(String text) {
    return text.length() <= MAX_CHARACTERS ? text : "…" + last(text, MAX_CHARACTERS);
  }

  /** The last characters of a text, at most {@code max}, and no half of one. */
  private static String last(String text, int length) {
    int from = text.length() - length;
    if (from <= 0) {
      return text;
    }
    return text.substring(Character.isLowSurrogate(text.charAt(from)) ? from + 1 : from);
  }
}
