package dev.cairn.action;

/** The input of an attempt was deleted while it was read. */
final class InputGoneException extends RuntimeException {
  private static final long serialVersionUID = 1;
}
