package dev.cairn.model;

/** Doubles as ECMAScript prints them, which is the number format of RFC 8785. */
final class EcmaNumber {
  private static final long MAX_EXACT = 1L << 53;
  private static final int MAX_PLAIN_POINT = 21;
  private static final int MIN_PLAIN_POINT = -6;

  private EcmaNumber() {}

  /** Appends {@code value}, which must be finite. */
  static void append(double value, StringBuilder out) {
    if (!Double.isFinite(value)) {
      throw new IllegalArgumentException("JSON has no number for " + value);
    }
    if (Math.abs(value) <= MAX_EXACT && value == Math.rint(value)) {
      out.append((long) value);
      return;
    }
    if (value < 0) {
      out.append('-');
    }
    appendDecimal(Decimal.shortest(Math.abs(value)), out);
  }

  private static void appendDecimal(Decimal decimal, StringBuilder out) {
    var digits = decimal.digits();
    int point = decimal.point();
    if (point > MAX_PLAIN_POINT || point <= MIN_PLAIN_POINT) {
      appendScientific(digits, point - 1, out);
    } else if (point <= 0) {
      out.append("0.").repeat('0', -point).append(digits);
    } else if (point >= digits.length()) {
      out.append(digits).repeat('0', point - digits.length());
    } else {
      out.append(digits, 0, point).append('.').append(digits, point, digits.length());
    }
  }

  private static void appendScientific(String digits, int exponent, StringBuilder out) {
    out.append(digits.charAt(0));
    if (digits.length() > 1) {
      out.append('.').append(digits, 1, digits.length());
    }
    out.append(exponent < 0 ? "e-" : "e+").append(Math.abs(exponent));
  }

  /**
   * The number 0.{@code digits} times ten to the {@code point}.
   *
   * @param digits without zeros at either end
   * @param point position of the decimal point, counted from before the first digit
   */
  private record Decimal(String digits, int point) {
    private static final double TINY = 1e-300;

    static Decimal shortest(double positive) {
      var decimal = parse(Double.toString(positive));
      return positive < TINY && decimal.digits.length() == 2
          ? decimal.withOneDigit(positive)
          : decimal;
    }

    /** Parses a result of {@link Double#toString}: {@code 12.5} or {@code 1.25E-7}. */
    private static Decimal parse(String text) {
      int e = text.indexOf('E');
      int end = e < 0 ? text.length() : e;
      int exponent = e < 0 ? 0 : Integer.parseInt(text, e + 1, text.length(), 10);
      int dot = text.indexOf('.');
      var all = text.substring(0, dot) + text.substring(dot + 1, end);
      int from = 0;
      while (all.charAt(from) == '0') {
        from++;
      }
      int to = all.length();
      while (all.charAt(to - 1) == '0') {
        to--;
      }
      return new Decimal(all.substring(from, to), dot + exponent - from);
    }

    /** {@link Double#toString} always gives two digits; ECMAScript gives one if it is enough. */
    private Decimal withOneDigit(double positive) {
      int tens = digits.charAt(0) - '0';
      int rounded = digits.charAt(1) >= '5' ? tens + 1 : tens;
      var one = rounded == 10 ? new Decimal("1", point + 1) : new Decimal("" + rounded, point);
      boolean same = Double.parseDouble("0." + one.digits + "E" + one.point) == positive;
      return same ? one : this;
    }
  }
}
