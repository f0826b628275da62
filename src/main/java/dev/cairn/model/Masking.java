package dev.cairn.model;

import java.util.regex.Pattern;

/**
 * Masks tokens in texts. Problems and warnings quote the request, and a token that was sent in the
 * wrong place must not appear in the answer, or in a log that records the answer.
 */
public final class Masking {
  /** This service's own tokens, and the three parts of a JWT. */
  private static final Pattern TOKEN =
      Pattern.compile(
          "(cairn_[a-z]{1,16}_)[A-Za-z0-9_-]{20,}"
              + "|\\b(eyJ)[A-Za-z0-9_-]{10,}(?:\\.[A-Za-z0-9_-]*){0,2}");

  private Masking() {}

  /** The text with each token cut after its prefix; null for null. */
  public static String of(String text) {
    if (text == null || !(text.contains("cairn_") || text.contains("eyJ"))) {
      return text;
    }
    return TOKEN
        .matcher(text)
        .replaceAll(found -> (found.group(1) == null ? found.group(2) : found.group(1)) + "…");
  }
}
