package dev.cairn.client;

import java.util.Locale;

/** Which references of an entity. */
public enum Direction {
  /** References to it, from active entities of its repository. */
  INBOUND,
  /** References from it. */
  OUTBOUND;

  /** The value of the parameter. */
  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}
