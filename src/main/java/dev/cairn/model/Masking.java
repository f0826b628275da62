package dev.cairn.model;

import java.util.regex.Pattern;

/**
 * Takes tokens out of sentences. Problems quote what was sent, and who sends a token in the wrong
 * place should not find it again in an answer, or in whatever log the answer passes.
 */
final class Masking {
  /** Tokens of this service's own making, and the three parts of a JWT. */
  private static final Pattern TOKEN =
      Pattern.compile(
          "(cairn_[a-z]{1,16}_)[A-Za-z0-9_-]{20,}"
              + "|\\b(eyJ)[A-Za-z0-9_-]{10,}(?:\\.[A-Za-z0-9_-]*){0,2}");

  private Masking() {}

  /** The text, of tokens no more than how they begin; null for null. */
  static String of(String text) {
    if (text == null || !(text.contains("cairn_") || text.contains("eyJ"))) {
      return text;
    }
    return TOKEN
        .matcher(text)
        .replaceAll(found -> (found.group(1) == null ? found.group(2) : found.group(1)) + "…");
  }
}
