package dev.cairn.component;

import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * A version as in Semantic Versioning 2.0.0, without build metadata, so that two versions of the
 * same precedence have the same text. Of at most 64 characters.
 *
 * @param numbers major, minor and patch
 * @param preRelease the identifiers of a pre-release; empty for a release
 */
record SemanticVersion(List<Integer> numbers, List<String> preRelease)
    implements Comparable<SemanticVersion> {
  static final String RULE =
      "A version must be as in Semantic Versioning, such as `1.2.0` or `2.0.0-beta.1`, without build"
          + " metadata, of at most 64 characters.";

  private static final int MAX_LENGTH = 64;
  private static final String NUMBER = "(0|[1-9][0-9]{0,8})";
  private static final String IDENTIFIER = "(0|[1-9][0-9]*|[0-9]*[A-Za-z-][0-9A-Za-z-]*)";
  private static final Pattern FORM =
      Pattern.compile("%1$s\\.%1$s\\.%1$s(-(?<pre>%2$s(\\.%2$s)*))?".formatted(NUMBER, IDENTIFIER));
  private static final Pattern DIGITS = Pattern.compile("[0-9]+");

  /** The parts of a text; empty if it is no version. */
  static Optional<SemanticVersion> of(String text) {
    var form = FORM.matcher(text);
    if (text.length() > MAX_LENGTH || !form.matches()) {
      return Optional.empty();
    }
    var numbers =
        List.of(
            Integer.valueOf(form.group(1)),
            Integer.valueOf(form.group(2)),
            Integer.valueOf(form.group(3)));
    var pre = form.group("pre");
    return Optional.of(
        new SemanticVersion(numbers, pre == null ? List.of() : Arrays.asList(pre.split("\\."))));
  }

  /** The order of precedence: a pre-release comes before its release. */
  @Override
  public int compareTo(SemanticVersion other) {
    for (int i = 0; i < numbers.size(); i++) {
      int byNumber = numbers.get(i).compareTo(other.numbers.get(i));
      if (byNumber != 0) {
        return byNumber;
      }
    }
    if (preRelease.isEmpty() || other.preRelease.isEmpty()) {
      return Boolean.compare(preRelease.isEmpty(), other.preRelease.isEmpty());
    }
    int common = Math.min(preRelease.size(), other.preRelease.size());
    for (int i = 0; i < common; i++) {
      int byIdentifier = compare(preRelease.get(i), other.preRelease.get(i));
      if (byIdentifier != 0) {
        return byIdentifier;
      }
    }
    return Integer.compare(preRelease.size(), other.preRelease.size());
  }

  /** Numbers come before other identifiers, and have no leading zeros. */
  private static int compare(String one, String other) {
    boolean isNumber = DIGITS.matcher(one).matches();
    if (isNumber != DIGITS.matcher(other).matches()) {
      return isNumber ? -1 : 1;
    }
    var byText = Comparator.<String>naturalOrder();
    return isNumber
        ? Comparator.comparingInt(String::length).thenComparing(byText).compare(one, other)
        : byText.compare(one, other);
  }
}
