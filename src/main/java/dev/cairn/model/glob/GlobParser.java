package dev.cairn.model.glob;

import dev.cairn.model.ErrorCode;
import dev.cairn.model.Excerpt;
import dev.cairn.model.Nfc;
import dev.cairn.model.Problem;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/** Reads the text of a {@link Glob} from left to right, segment by segment. */
final class GlobParser {
  private static final int MAX_LENGTH = 1024;
  private static final int MAX_WILDCARDS = 16;

  private final String source;
  private int at;
  private int wildcards;
  private IntStream.Builder codes;
  private StringBuilder prefix;
  private boolean literal;

  GlobParser(String text) {
    if (text == null || text.isEmpty()) {
      throw Problem.of(ErrorCode.VALIDATION_ERROR, "A glob pattern must not be empty");
    }
    this.source = Nfc.of(text);
    if (source.codePointCount(0, source.length()) > MAX_LENGTH) {
      throw Problem.of(
          ErrorCode.VALIDATION_ERROR, "A glob pattern may have at most 1024 characters");
    }
  }

  /** The normalized text. */
  String source() {
    return source;
  }

  /** At least one segment; several {@code **} in a row are one. */
  List<GlobSegment> segments() {
    var segments = new ArrayList<GlobSegment>();
    at = 0;
    do {
      var segment = segment();
      if (!segment.isAnyDepth() || segments.isEmpty() || !segments.getLast().isAnyDepth()) {
        segments.add(segment);
      }
    } while (at++ < source.length());
    return List.copyOf(segments);
  }

  private GlobSegment segment() {
    int start = at;
    if (endsSegment(at)) {
      throw invalid("a segment is empty");
    }
    if (source.startsWith("**", at) && endsSegment(at + 2)) {
      countWildcard();
      at += 2;
      return GlobSegment.ANY_DEPTH;
    }
    codes = IntStream.builder();
    prefix = new StringBuilder();
    literal = true;
    while (!endsSegment(at)) {
      part();
    }
    // a lone star matches one whole segment, and no segment of a wref is empty
    return source.substring(start, at).equals("*")
        ? new GlobSegment(new int[] {GlobProgram.ANY_SEGMENT}, "", false)
        : new GlobSegment(codes.build().toArray(), prefix.toString(), literal);
  }

  private boolean endsSegment(int index) {
    return index >= source.length() || source.charAt(index) == '/';
  }

  private void part() {
    switch (source.charAt(at)) {
      case '{' -> braces();
      case '}' -> throw invalid("'}' has no '{' before it");
      default -> character();
    }
  }

  private void braces() {
    countWildcard();
    int open = at++;
    codes.add(GlobProgram.OPEN);
    boolean empty = true;
    while (!endsSegment(at) && source.charAt(at) != '}') {
      char c = source.charAt(at);
      if (c == '{') {
        throw invalid("braces cannot be nested");
      }
      if (c == ',') {
        requireAlternative(empty);
        countWildcard();
        codes.add(GlobProgram.OR);
        at++;
      } else {
        character();
      }
      empty = c == ',';
    }
    if (endsSegment(at)) {
      at = open;
      throw invalid("'{' has no '}' after it in its segment");
    }
    requireAlternative(empty);
    codes.add(GlobProgram.CLOSE);
    at++;
  }

  private void requireAlternative(boolean empty) {
    if (empty) {
      throw invalid("an alternative in braces is empty");
    }
  }

  private void character() {
    int c = source.codePointAt(at);
    switch (c) {
      case '*' -> star();
      case '?' -> wildcard(GlobProgram.ONE_CHARACTER);
      default -> literal(c);
    }
    at += Character.charCount(c);
  }

  private void star() {
    if (source.startsWith("**", at)) {
      throw invalid("'**' must be a whole segment");
    }
    wildcard(GlobProgram.ANY_CHARACTERS);
  }

  private void wildcard(int code) {
    countWildcard();
    codes.add(code);
  }

  /**
   * Each wildcard multiplies the ways in which a name can match, and so the time that matching
   * takes.
   */
  private void countWildcard() {
    literal = false;
    if (++wildcards > MAX_WILDCARDS) {
      throw invalid("it may have at most 16 of *, **, ? and alternatives in braces");
    }
  }

  private void literal(int c) {
    if (c == 0 || Character.getType(c) == Character.SURROGATE) {
      throw invalid("the character is not allowed");
    }
    codes.add(c);
    if (literal) {
      prefix.appendCodePoint(c);
    }
  }

  private Problem invalid(String reason) {
    return Problem.of(
        ErrorCode.VALIDATION_ERROR,
        "The glob pattern "
            + Excerpt.quoted(source)
            + " is not valid at character "
            + (source.codePointCount(0, at) + 1)
            + ": "
            + reason);
  }
}
