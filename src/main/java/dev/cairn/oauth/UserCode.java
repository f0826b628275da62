package dev.cairn.oauth;

import java.security.SecureRandom;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * The short code that a device shows and a person types: eight consonants, so that it spells no
 * word and no letter is mistaken for a digit. Case, dashes and spaces do not matter.
 *
 * @param letters without the dash
 */
record UserCode(String letters) {
  private static final String ALPHABET = "BCDFGHJKLMNPQRSTVWXZ";
  private static final int LENGTH = 8;
  private static final Pattern FORM = Pattern.compile("[" + ALPHABET + "]{" + LENGTH + "}");

  /** A new one: one of 25,600,000,000. */
  static UserCode next() {
    var letters = new StringBuilder();
    new SecureRandom()
        .ints(LENGTH, 0, ALPHABET.length())
        .forEach(i -> letters.append(ALPHABET.charAt(i)));
    return new UserCode(letters.toString());
  }

  /** What was typed, if it has the form of a code. */
  static Optional<UserCode> read(String typed) {
    var letters = typed.replaceAll("[\\s-]", "").toUpperCase(Locale.ROOT);
    return FORM.matcher(letters).matches() ? Optional.of(new UserCode(letters)) : Optional.empty();
  }

  /** As it is shown, with a dash in the middle. */
  String shown() {
    return letters.substring(0, LENGTH / 2) + "-" + letters.substring(LENGTH / 2);
  }
}
