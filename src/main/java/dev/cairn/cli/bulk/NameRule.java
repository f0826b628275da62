package dev.cairn.cli.bulk;

import java.text.Normalizer;
import java.util.Optional;

/** The rules for names of things, in {@code docs/model.md}, Names; the service checks them too. */
final class NameRule {
  private static final int MAX_CHARACTERS = 512;
  private static final int MAX_MARKS = 30;
  private static final String FORBIDDEN = "@*?{}\\#%";

  private NameRule() {}

  /** The name as the service stores it. */
  static String normalize(String name) {
    return Normalizer.normalize(name, Normalizer.Form.NFC);
  }

  /**
   * Why a normalized text cannot be the name of a thing.
   *
   * @return the rule that it breaks, as the rest of a sentence; empty if it is a name
   */
  static Optional<String> violation(String name) {
    int length = name.codePointCount(0, name.length());
    if (length == 0) {
      return Optional.of("a name cannot be empty");
    }
    if (length > MAX_CHARACTERS) {
      return Optional.of("a name has at most 512 characters, and this has " + length);
    }
    return forbiddenCharacter(name).or(() -> forbiddenSegment(name));
  }

  private static Optional<String> forbiddenCharacter(String name) {
    int marks = 0;
    for (int at = 0; at < name.length(); at += Character.charCount(name.codePointAt(at))) {
      int c = name.codePointAt(at);
      if (c == ' ') {
        return Optional.of("a name cannot contain spaces");
      }
      if (FORBIDDEN.indexOf(c) >= 0) {
        return Optional.of("a name cannot contain `" + (char) c + "`");
      }
      if (!isAllowed(c)) {
        return Optional.of("a name cannot contain the character U+%04X".formatted(c));
      }
      marks = isMark(c) ? marks + 1 : 0;
      if (marks > MAX_MARKS) {
        return Optional.of("a name has at most 30 combining marks in a row");
      }
    }
    return Optional.empty();
  }

  private static boolean isMark(int c) {
    int type = Character.getType(c);
    return type == Character.NON_SPACING_MARK
        || type == Character.COMBINING_SPACING_MARK
        || type == Character.ENCLOSING_MARK;
  }

  private static boolean isAllowed(int c) {
    return switch (Character.getType(c)) {
      case Character.CONTROL,
          Character.FORMAT,
          Character.SURROGATE,
          Character.PRIVATE_USE,
          Character.UNASSIGNED,
          Character.SPACE_SEPARATOR,
          Character.LINE_SEPARATOR,
          Character.PARAGRAPH_SEPARATOR ->
          false;
      default -> true;
    };
  }

  private static Optional<String> forbiddenSegment(String name) {
    for (var segment : name.split("/", -1)) {
      if (segment.isEmpty()) {
        return Optional.of("a name cannot begin or end with a slash, or have two in a row");
      }
      var text = segment.split(";", 2)[0];
      if (text.equals(".") || text.equals("..")) {
        return Optional.of("no segment of a name can be `.` or `..`");
      }
    }
    return Optional.empty();
  }
}
