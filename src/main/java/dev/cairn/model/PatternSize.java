package dev.cairn.model;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * Estimates the size of a regular expression after RE2/J has expanded its counted repetitions:
 * {@code ((a{1000}){1000}){1000}} would fill any memory, and long chains of parts that may be empty
 * would overflow any stack. The estimate is never too low. It parses the text exactly as RE2/J
 * does: a brace or parenthesis that only one of them takes for an operator would hide a repetition.
 */
final class PatternSize {
  /**
   * The largest size that is compiled: half of the size that the smallest usual stack, 512 KiB, can
   * hold.
   */
  static final long MAX = 1_250;

  /** The largest size of all patterns of one shape together. */
  static final long MAX_OF_SHAPE = 5_000;

  private static final long CEILING = 1L << 40;

  /** A Unicode class such as {@code \p{L}}, whose ranges are copied for each place in the text. */
  private static final Pattern UNICODE_CLASS = Pattern.compile("\\\\[pP]");

  private static final long SIZE_OF_UNICODE_CLASS = 40;

  /** Longer expressions have long classes, in which each character may be several ranges. */
  private static final int SHORT_LENGTH = 200;

  private static final int CHARACTERS_OF_STEP = 4;

  /** A group's own steps: the begin and end of its capture, and one to join its alternatives. */
  private static final long STEPS_OF_GROUP = 3;

  private final String expression;
  private final Deque<Long> outer = new ArrayDeque<>();

  /** The ends that do not occur any more. */
  private final Set<String> absent = new HashSet<>();

  private int at;
  private long sum;
  private long last;

  private PatternSize(String expression) {
    this.expression = expression;
  }

  /** The number of steps, at most about 2^40; the expression need not be valid. */
  static long of(String expression) {
    return new PatternSize(expression).measure();
  }

  /**
   * The size of the ranges of character classes, which are compiled besides the steps, in steps.
   */
  static long ofClasses(String expression) {
    return UNICODE_CLASS.matcher(expression).results().count() * SIZE_OF_UNICODE_CLASS
        + Math.max(0, expression.length() - SHORT_LENGTH) / CHARACTERS_OF_STEP;
  }

  private long measure() {
    while (at < expression.length()) {
      switch (expression.charAt(at)) {
        case '(' -> open();
        case ')' -> close();
        case '{' -> brace();
        case '*', '+', '?' -> operator();
        case '\\' -> escape();
        case '[' -> characterClass();
        default -> atom(at + 1);
      }
    }
    while (!outer.isEmpty()) {
      sum += outer.pop();
    }
    return sum;
  }

  private void atom(int end) {
    last = 1;
    sum = Math.min(CEILING, sum + 1);
    at = end;
  }

  private void operator() {
    last = Math.min(CEILING, last + 1);
    sum = Math.min(CEILING, sum + 1);
    at++;
  }

  private void open() {
    int flagsEnd = flagsEnd();
    if (flagsEnd > 0) {
      // a repetition after (?i) belongs to the atom before it
      at = flagsEnd;
      return;
    }
    outer.push(sum);
    sum = 0;
    last = 0;
    at++;
  }

  /** The end of {@code (?flags)}, or 0 if none begins here. */
  private int flagsEnd() {
    if (!expression.startsWith("(?", at)) {
      return 0;
    }
    int end = at + 2;
    while (end < expression.length() && isFlag(expression.charAt(end))) {
      end++;
    }
    return expression.startsWith(")", end) ? end + 1 : 0;
  }

  private static boolean isFlag(char c) {
    return c == '-' || Character.isLetter(c);
  }

  private void close() {
    last = Math.min(CEILING, sum + STEPS_OF_GROUP);
    sum = Math.min(CEILING, last + (outer.isEmpty() ? 0 : outer.pop()));
    at++;
  }

  private void brace() {
    int comma = digitsEnd(at + 1);
    boolean open = expression.startsWith(",", comma);
    int end = open ? digitsEnd(comma + 1) : comma;
    if (comma == at + 1 || !expression.startsWith("}", end)) {
      atom(at + 1);
      return;
    }
    long times = Math.max(number(at + 1, comma), open ? number(comma + 1, end) : 0);
    long more = last * Math.max(times - 1, 1);
    sum = Math.min(CEILING, sum + more);
    last = Math.min(CEILING, last + more);
    at = end + 1;
  }

  private int digitsEnd(int from) {
    int end = from;
    while (end < expression.length() && isDigit(expression.charAt(end))) {
      end++;
    }
    return end;
  }

  private static boolean isDigit(char c) {
    return c >= '0' && c <= '9';
  }

  /** The number there, capped far above any that RE2/J accepts; 0 if there is none. */
  private long number(int from, int to) {
    long number = 0;
    for (int i = from; i < to; i++) {
      number = Math.min(10_000, number * 10 + (expression.charAt(i) - '0'));
    }
    return number;
  }

  /**
   * Where an end occurs next, or -1. That there is none is remembered: otherwise a pattern of
   * nothing but beginnings would be searched to its end for each of them.
   */
  private int ahead(String end, int from) {
    int found = absent.contains(end) ? -1 : expression.indexOf(end, from);
    if (found < 0) {
      absent.add(end);
    }
    return found;
  }

  private void escape() {
    if (expression.startsWith("\\Q", at)) {
      int end = ahead("\\E", at + 2);
      quote(at + 2, end < 0 ? expression.length() : end);
      return;
    }
    boolean hasBraces =
        at + 2 < expression.length()
            && "pPx".indexOf(expression.charAt(at + 1)) >= 0
            && expression.charAt(at + 2) == '{';
    int close = hasBraces ? ahead("}", at) : -1;
    atom(close < 0 ? at + 2 : close + 1);
  }

  private void quote(int from, int to) {
    for (int i = from; i < to; i++) {
      atom(i + 1);
    }
    at = Math.min(expression.length(), to + 2);
  }

  private void characterClass() {
    int end = at + 1;
    if (expression.startsWith("^", end)) {
      end++;
    }
    boolean first = true;
    while (end < expression.length() && (first || expression.charAt(end) != ']')) {
      first = false;
      end = classItemEnd(end);
    }
    atom(end + 1);
  }

  private int classItemEnd(int from) {
    if (expression.startsWith("[:", from)) {
      int end = ahead(":]", from + 2);
      return end < 0 ? from + 1 : end + 2;
    }
    return expression.charAt(from) == '\\' ? from + 2 : from + 1;
  }
}
