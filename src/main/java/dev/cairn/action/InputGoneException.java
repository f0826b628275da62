package dev.cairn.action;

/** What an attempt was to hand over was deleted while it was read. */
final class InputGoneException extends RuntimeException {
  private static final long serialVersionUID = 1;
}
