package dev.cairn.cli.output;

/** The terminal that a person sits at. */
public interface Terminal {
  /** Whether the standard input is a terminal. */
  boolean isInput();

  /** Whether the standard output is a terminal. */
  boolean isOutput();

  /** Whether the standard error is a terminal. */
  boolean isError();

  /** The width of the terminal in columns, or 80 if it is not known. */
  int columns();

  /**
   * Reads a line without showing it.
   *
   * @param prompt what is asked for
   * @return null at the end of the input
   */
  char[] readPassword(String prompt);
}
