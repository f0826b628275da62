package dev.cairn.cli.output;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Locale;

/** The standard output cannot be written to. */
public final class OutputFailure extends UncheckedIOException {
  private static final long serialVersionUID = 1;

  OutputFailure(IOException cause) {
    super(cause);
  }

  /**
   * Whether the reader at the other end of a pipe has ended, as {@code head} does. That is no
   * error: it has what it wanted.
   */
  public boolean isBrokenPipe() {
    var message = getCause().getMessage();
    return message != null && message.toLowerCase(Locale.ROOT).contains("broken pipe");
  }
}
