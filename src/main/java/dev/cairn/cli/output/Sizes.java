package dev.cairn.cli.output;

import java.util.Locale;

/** Amounts of bytes for people. */
public final class Sizes {
  private static final String[] UNITS = {"B", "kB", "MB", "GB", "TB"};
  private static final int STEP = 1000;

  private Sizes() {}

  /** The amount in the largest unit of which there is at least one: {@code 1.5 MB}. */
  public static String bytes(long count) {
    double amount = count;
    int unit = 0;
    while (amount >= STEP && unit < UNITS.length - 1) {
      amount /= STEP;
      unit++;
    }
    return unit == 0 ? count + " B" : String.format(Locale.ROOT, "%.1f %s", amount, UNITS[unit]);
  }
}
