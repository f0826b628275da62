package dev.cairn.access;

import dev.cairn.model.Problem;
import java.text.Normalizer;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * What an e-mail address is here, and when two are the same: where they differ in the case of the
 * letters A to Z alone. No other character is ever taken for another one, so that nobody gets an
 * account, a membership or an invitation by an address that only looks like it. See {@code
 * docs/access.md}, E-mail addresses.
 */
public final class EmailAddress {
  private static final String VISIBLE = "[\\p{L}\\p{M}\\p{N}\\p{P}\\p{S}&&[^@]]";
  private static final Pattern FORM = Pattern.compile(VISIBLE + "{1,64}@" + VISIBLE + "{1,189}");

  private static final int TO_LOWER = 'a' - 'A';

  private EmailAddress() {}

  /**
   * The address as accounts have it; empty if the text is none. What is beyond ASCII must be in
   * lower case and in NFC already: folding it could make one address of two.
   */
  public static Optional<String> read(String text) {
    var folded = folded(text);
    boolean fit =
        FORM.matcher(folded).matches()
            && Normalizer.isNormalized(folded, Normalizer.Form.NFC)
            && folded.equals(folded.toLowerCase(Locale.ROOT));
    return fit ? Optional.of(folded) : Optional.empty();
  }

  /** The same, or a {@code VALIDATION_ERROR} at {@code place}. */
  public static String checked(String place, String text) {
    return read(text)
        .orElseThrow(
            () ->
                Problem.invalid(
                    place,
                    "`email` must be an e-mail address of at most 254 visible characters, those"
                        + " beyond ASCII in lower case and in NFC."));
  }

  /** The text under which an address is looked for: with a to z for A to Z, whatever it is. */
  public static String folded(String text) {
    return text.codePoints()
        .map(c -> c >= 'A' && c <= 'Z' ? c + TO_LOWER : c)
        .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
        .toString();
  }
}
