package dev.cairn.action;

/** The input of an attempt was deleted while it was read. */
final class InputDeletedException extends RuntimeException {
  private static final long serialVersionUID = 1;
}
