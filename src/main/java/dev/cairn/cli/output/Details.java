package dev.cairn.cli.output;

import java.util.ArrayList;
import java.util.List;

/**
 * One thing as names and values, a line each. Values that are null are left out. On a terminal the
 * values stand in one column; otherwise a tab is between name and value.
 */
public final class Details {
  /** A name and its value; a time is a {@link Long}. */
  record Entry(String name, Object value, Style style) {}

  private final List<Entry> entries = new ArrayList<>();

  /** A value; null leaves it out. */
  public Details add(String name, Object value) {
    return add(name, value, null);
  }

  /** A value in a style; null leaves it out. */
  public Details add(String name, Object value, Style style) {
    if (value != null) {
      entries.add(new Entry(name, value.toString(), style));
    }
    return this;
  }

  /** A time in milliseconds since 1970; null leaves it out. */
  public Details time(String name, Long value) {
    if (value != null) {
      entries.add(new Entry(name, value, null));
    }
    return this;
  }

  List<Entry> entries() {
    return entries;
  }
}
