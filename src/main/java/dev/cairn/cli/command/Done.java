package dev.cairn.cli.command;

/**
 * What the API answers to a change that has no other result.
 *
 * @param ok always true
 */
public record Done(boolean ok) {
  /** The answer. */
  public static final Done OK = new Done(true);
}
