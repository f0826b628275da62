package dev.cairn.model.glob;

import dev.cairn.model.MatchingBudget;
import java.util.Arrays;
import java.util.List;

/**
 * The instructions of a glob, or of its first segment: a code point matches itself, a negative
 * number is a wildcard. Matching is backtracking with memoization: no instruction is tried twice at
 * one position of the text. The number of steps is at most the product of both lengths, and usually
 * about the number of characters of the text.
 */
final class GlobProgram {
  /** {@code *} next to other text: any number of characters of the segment, including none. */
  static final int ANY_CHARACTERS = -1;

  /** {@code ?}: one character of the segment. */
  static final int ONE_CHARACTER = -2;

  /** A lone {@code *}: all characters of a segment. */
  static final int ANY_SEGMENT = -3;

  /** Begins alternatives, {@link #OR} separates them, {@link #CLOSE} ends them. */
  static final int OPEN = -4;

  static final int OR = -5;
  static final int CLOSE = -6;

  /** {@code **} before all other segments, with the slash that follows each of its segments. */
  private static final int LEADING_SEGMENTS = -7;

  /** Any other {@code **}, with the slash before each of its segments. */
  private static final int INNER_SEGMENTS = -8;

  /** The fixed cost of matching one text. */
  private static final long STEPS_OF_ATTEMPT = 10;

  private static final String REGEX_SPECIAL = "\\.+*?()[]{}^$|";

  private final int[] codes;

  /** Whether a position can be reached in several ways, so that failures must be remembered. */
  private final boolean hasChoices;

  /** The program of these segments, at least one; no two {@code **} follow each other. */
  GlobProgram(List<GlobSegment> segments) {
    var out = new int[segments.stream().mapToInt(segment -> segment.codes().length + 1).sum() + 1];
    int size = 0;
    boolean begun = false;
    for (var segment : segments) {
      if (segment.isAnyDepth()) {
        if (segments.size() == 1) {
          out[size++] = ANY_SEGMENT;
        }
        out[size++] = begun || segments.size() == 1 ? INNER_SEGMENTS : LEADING_SEGMENTS;
      } else {
        if (begun) {
          out[size++] = '/';
        }
        System.arraycopy(segment.codes(), 0, out, size, segment.codes().length);
        size += segment.codes().length;
        begun = true;
      }
    }
    this.codes = Arrays.copyOf(out, size);
    this.hasChoices = Arrays.stream(codes).filter(GlobProgram::isChoice).count() > 1;
  }

  /** How many UTF-16 characters every match begins with that are given literally. */
  int literalBeginning() {
    return Arrays.stream(codes)
        .takeWhile(code -> !isWildcard(code))
        .map(Character::charCount)
        .sum();
  }

  /** How many UTF-16 characters every match ends with that are given literally. */
  int literalEnd() {
    int start = codes.length;
    while (start > 0 && !isWildcard(codes[start - 1])) {
      start--;
    }
    return Arrays.stream(codes, start, codes.length).map(Character::charCount).sum();
  }

  private static boolean isWildcard(int code) {
    return code < 0;
  }

  private static boolean isChoice(int code) {
    return switch (code) {
      case ANY_CHARACTERS, OPEN, LEADING_SEGMENTS, INNER_SEGMENTS -> true;
      default -> false;
    };
  }

  /** The same as a regular expression, not anchored; see {@link Glob#regex}. */
  String regex() {
    var out = new StringBuilder();
    for (int code : codes) {
      switch (code) {
        case ANY_CHARACTERS -> out.append("[^/]*");
        case ONE_CHARACTER -> out.append("[^/]");
        case ANY_SEGMENT -> out.append("[^/]+");
        case OPEN -> out.append("(?:");
        case OR -> out.append('|');
        case CLOSE -> out.append(')');
        case LEADING_SEGMENTS -> out.append("(?:[^/]+/)*");
        case INNER_SEGMENTS -> out.append("(?:/[^/]+)*");
        default -> {
          if (REGEX_SPECIAL.indexOf(code) >= 0) {
            out.append('\\');
          }
          out.appendCodePoint(code);
        }
      }
    }
    return out.toString();
  }

  /**
   * Whether all of {@code text} matches.
   *
   * @param budget charged with the steps
   */
  boolean matches(String text, MatchingBudget budget) {
    budget.takeSteps(STEPS_OF_ATTEMPT);
    var attempt = new Attempt(text);
    boolean matches = attempt.from(0, 0) == Result.MATCH;
    budget.takeSteps(attempt.steps);
    return matches;
  }

  private enum Result {
    MATCH,
    /** An earlier choice may still match. */
    MISMATCH,
    /** No match, even if an earlier {@code *} takes more characters. */
    EXHAUSTED
  }

  /** One matching of one text. */
  private final class Attempt {
    private final String text;
    private final long[] tried;
    private long steps;

    Attempt(String text) {
      this.text = text;
      this.tried =
          hasChoices ? new long[codes.length * (text.length() + 1) / Long.SIZE + 1] : new long[0];
      this.steps = tried.length / 4;
    }

    /** Whether the rest of the text, from {@code at}, matches the instructions from {@code pc}. */
    Result from(int pc, int at) {
      int next = pc;
      int position = at;
      while (next < codes.length) {
        steps++;
        int code = codes[next];
        switch (code) {
          case ANY_CHARACTERS -> {
            return anyCharacters(next, position);
          }
          case OPEN -> {
            return alternatives(next, position);
          }
          case LEADING_SEGMENTS, INNER_SEGMENTS -> {
            return segments(next, position);
          }
          case OR, CLOSE -> {
            next = closing(next);
            // Several alternatives may end at one position.
            if (!isFirst(next, position)) {
              return Result.MISMATCH;
            }
          }
          case ANY_SEGMENT -> position = endOfSegment(position);
          case ONE_CHARACTER -> position = afterCharacter(position);
          default -> position = after(code, position);
        }
        if (position < 0) {
          return Result.MISMATCH;
        }
        next++;
      }
      return position == text.length() ? Result.MATCH : Result.MISMATCH;
    }

    private int after(int code, int at) {
      return at < text.length() && text.codePointAt(at) == code
          ? at + Character.charCount(code)
          : -1;
    }

    /** The position after the character at {@code at}; -1 if the segment ends there. */
    private int afterCharacter(int at) {
      return at < text.length() && text.charAt(at) != '/'
          ? at + Character.charCount(text.codePointAt(at))
          : -1;
    }

    /**
     * The end of the segment that has at least one character from {@code at}; -1 if it has none.
     */
    private int endOfSegment(int at) {
      int slash = text.indexOf('/', at);
      int end = slash < 0 ? text.length() : slash;
      steps += (end - at) / 8;
      return end > at ? end : -1;
    }

    private int closing(int pc) {
      int next = pc;
      while (codes[next] != CLOSE) {
        next++;
      }
      steps += next - pc;
      return next;
    }

    /** Whether a choice is tried there for the first time; a second try would fail the same way. */
    private boolean isFirst(int pc, int at) {
      if (!hasChoices) {
        return true;
      }
      int bit = pc * (text.length() + 1) + at;
      long mask = 1L << bit;
      boolean isFirst = (tried[bit / Long.SIZE] & mask) == 0;
      tried[bit / Long.SIZE] |= mask;
      return isFirst;
    }

    private Result anyCharacters(int pc, int at) {
      int position = at;
      while (position >= 0 && isFirst(pc, position)) {
        steps++;
        var result = from(pc + 1, position);
        if (result != Result.MISMATCH) {
          return result;
        }
        position = afterCharacter(position);
      }
      return Result.EXHAUSTED;
    }

    private Result alternatives(int open, int at) {
      if (!isFirst(open, at)) {
        return Result.MISMATCH;
      }
      int pc = open;
      do {
        if (from(pc + 1, at) == Result.MATCH) {
          return Result.MATCH;
        }
        do {
          pc++;
          steps++;
        } while (codes[pc] != OR && codes[pc] != CLOSE);
      } while (codes[pc] == OR);
      return Result.MISMATCH;
    }

    private Result segments(int pc, int at) {
      int position = at;
      while (position >= 0 && isFirst(pc, position)) {
        steps++;
        if (from(pc + 1, position) == Result.MATCH) {
          return Result.MATCH;
        }
        position =
            codes[pc] == LEADING_SEGMENTS
                ? afterSlash(endOfSegment(position))
                : nextSegment(position);
      }
      return Result.MISMATCH;
    }

    private int afterSlash(int at) {
      return at < 0 ? -1 : after('/', at);
    }

    private int nextSegment(int at) {
      int begin = after('/', at);
      return begin < 0 ? -1 : endOfSegment(begin);
    }
  }
}
