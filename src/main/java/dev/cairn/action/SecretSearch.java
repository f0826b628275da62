package dev.cairn.action;

import java.util.BitSet;
import java.util.List;

/**
 * Finds secrets in a text. Where the text was cut, it may hold a piece of one: as much is taken for
 * secret there as the longest one may have left, whatever it is. If pieces were looked for, whoever
 * writes the text and sees what is masked could guess a secret character by character.
 */
record SecretSearch(List<String> secrets, SecretMask.Cut cut) {
  /** What a cut can leave of a character: up to three bytes, or all but the first of an escape. */
  private static final int MAX_BROKEN = 5;

  /** Lengths up to this one are not told apart. */
  private static final int MIN_REACH = 256;

  /** The positions of the characters that belong to secrets. */
  BitSet in(String text) {
    var found = new BitSet(text.length());
    for (var secret : secrets) {
      for (int at = text.indexOf(secret);
          at >= 0;
          at = text.indexOf(secret, at + secret.length())) {
        found.set(at, at + secret.length());
      }
    }
    int reach = Math.min(text.length(), reach());
    switch (cut) {
      case NONE -> {}
      case BEGINNING -> found.set(0, reach);
      case BOTH -> {
        found.set(0, reach);
        found.set(text.length() - reach, text.length());
      }
    }
    return found;
  }

  /** How many characters a piece of a secret may have: a power of two. */
  private int reach() {
    int longest = secrets.stream().mapToInt(String::length).max().orElse(0) + MAX_BROKEN;
    return Math.max(MIN_REACH, Integer.highestOneBit(longest) * 2);
  }
}
