package dev.cairn.access;

import dev.cairn.model.Problem;
import dev.cairn.platform.http.RequestTarget;
import java.text.Normalizer;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * The syntax and the equality of e-mail addresses: two are the same if they differ only in the case
 * of the letters A to Z. All other characters are compared exactly, so that nobody gets an account,
 * a membership or an invitation with an address that only looks the same. See {@code
 * docs/access.md}, E-mail addresses.
 */
public final class EmailAddress {
  private static final String VISIBLE = "[\\p{L}\\p{M}\\p{N}\\p{P}\\p{S}&&[^@]]";
  private static final Pattern FORM = Pattern.compile(VISIBLE + "{1,64}@" + VISIBLE + "{1,189}");

  private static final int TO_LOWER = 'a' - 'A';

  private EmailAddress() {}

  /**
   * The address as it is stored; empty if the text is not an address. Characters beyond ASCII must
   * already be in lower case and in NFC: folding them could make two addresses equal.
   */
  public static Optional<String> read(String text) {
    var folded = folded(text);
    boolean fit =
        FORM.matcher(folded).matches()
            && Normalizer.isNormalized(folded, Normalizer.Form.NFC)
            && folded.equals(folded.toLowerCase(Locale.ROOT))
            // Members are named by paths.
            && RequestTarget.isSegment(folded);
    return fit ? Optional.of(folded) : Optional.empty();
  }

  /** The same; a {@code VALIDATION_ERROR} at {@code place} if the text is not an address. */
  public static String checked(String place, String text) {
    return read(text)
        .orElseThrow(
            () ->
                Problem.invalid(
                    place,
                    "`email` must be an e-mail address of at most 254 visible characters, those"
                        + " beyond ASCII in lower case and in NFC, without a backslash, and"
                        + " without `.` or `..` between slashes."));
  }

  /** The key to look up any text as an address: A to Z in lower case. */
  public static String folded(String text) {
    return text.codePoints()
        .map(c -> c >= 'A' && c <= 'Z' ? c + TO_LOWER : c)
        .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
        .toString();
  }
}
