package dev.cairn.subscription;

/** A set has a secret that no call can be made with; the message names it, not its value. */
public final class UnusableSecretException extends Exception {
  private static final long serialVersionUID = 1L;

  UnusableSecretException(String message) {
    super(message);
  }
}
