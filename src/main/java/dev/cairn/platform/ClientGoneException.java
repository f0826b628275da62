package dev.cairn.platform;

/** Says that the client of a request has closed its connection, so that nobody reads an answer. */
public final class ClientGoneException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /** Without a stack trace: it is no fault, and there may be many. */
  public ClientGoneException() {
    super("the client has closed its connection", null, false, false);
  }
}
