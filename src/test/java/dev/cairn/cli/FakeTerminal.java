package dev.cairn.cli;

import dev.cairn.cli.output.Terminal;

/**
 * A terminal that is not there.
 *
 * @param isInput whether the standard input is one
 * @param isOutput whether the standard output is one
 * @param isError whether the standard error is one
 * @param columns its width
 * @param password what is typed if it asks for a password
 */
public record FakeTerminal(
    boolean isInput, boolean isOutput, boolean isError, int columns, String password)
    implements Terminal {
  /** No stream is a terminal. */
  public static final FakeTerminal NONE = new FakeTerminal(false, false, false, 80, null);

  /** All streams are a terminal of some columns. */
  public static FakeTerminal of(int columns) {
    return new FakeTerminal(true, true, true, columns, null);
  }

  @Override
  public char[] readPassword(String prompt) {
    return password == null ? null : password.toCharArray();
  }
}
