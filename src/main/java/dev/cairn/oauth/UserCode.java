package dev.cairn.oauth;

import java.security.SecureRandom;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * The short code that a device shows and a person types: eight consonants, so that it cannot spell
 * a word, and no letter is mistaken for a digit. Case, dashes and spaces are ignored.
 *
 * @param letters without the dash
 */
record UserCode(String letters) {
  private static final String ALPHABET = "BCDFGHJKLMNPQRSTVWXZ";
  private static final int LENGTH = 8;
  private static final Pattern FORM = Pattern.compile("[" + ALPHABET + "]{" + LENGTH + "}");

  /** A new code, one of 25,600,000,000. */
  static UserCode next() {
    var letters = new StringBuilder();
    new SecureRandom()
        .ints(LENGTH, 0, ALPHABET.length())
        .forEach(i -> letters.append(ALPHABET.charAt(i)));
    return new UserCode(letters.toString());
  }

  /** The typed code, if it has the right form. */
  static Optional<UserCode> read(String typed) {
    var letters = typed.replaceAll("[\\s-]", "").toUpperCase(Locale.ROOT);
    return FORM.matcher(letters).matches() ? Optional.of(new UserCode(letters)) : Optional.empty();
  }

  /** The code with a dash in the middle, as it is shown. */
  String shown() {
    return letters.substring(0, LENGTH / 2) + "-" + letters.substring(LENGTH / 2);
  }
}
