package dev.cairn.work;

/** Records the result of an attempt in the database. */
@FunctionalInterface
public interface Recording {
  /**
   * Writes the result, unless the row is no longer in that attempt and under that lease. It is
   * called again until it succeeds, so a repetition must have no further effect.
   *
   * @throws RuntimeException if the database is unavailable or the repository is busy
   */
  void write();
}
