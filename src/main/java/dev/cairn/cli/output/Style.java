package dev.cairn.cli.output;

/** Colours and weights of text on a terminal. */
public enum Style {
  /** Headers of tables, and names that stand out. */
  BOLD("1"),
  /** What matters less. */
  DIM("2"),
  /** Errors, failures, what was removed. */
  RED("31"),
  /** Success, what was added. */
  GREEN("32"),
  /** Warnings, what was changed or waits. */
  YELLOW("33"),
  /** Links and names of commands. */
  CYAN("36");

  private final String code;

  Style(String code) {
    this.code = code;
  }

  /** The text in this style; the text itself must have no control characters. */
  String apply(String text) {
    return text.isEmpty() ? text : "\u001b[" + code + "m" + text + "\u001b[0m";
  }
}
