package dev.cairn.client;

/**
 * There is no answer: the server could not be reached, the connection broke, the time for the
 * answer was over, or the thread was interrupted. What the request asked for may have happened.
 */
public final class ServerNotReachedException extends RuntimeException {
  private static final long serialVersionUID = 1;

  ServerNotReachedException(String message, Throwable cause) {
    super(message, cause);
  }
}
