package dev.cairn.cli.command;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;

/** A stream of which no more is read than is allowed, so that its content fits into the memory. */
public final class BoundedInput extends FilterInputStream {
  /** More would have been read. */
  public static final class TooLongException extends IOException {
    private static final long serialVersionUID = 1L;

    private TooLongException() {
      super("it is too long");
    }
  }

  private long allowed;

  /**
   * Begins.
   *
   * @param allowed how many bytes may be read
   */
  public BoundedInput(InputStream in, long allowed) {
    super(in);
    this.allowed = allowed;
  }

  /** Sets how many bytes may be read from now on. */
  public void allow(long bytes) {
    allowed = bytes;
  }

  @Override
  public int read() throws IOException {
    int b = super.read();
    if (b >= 0) {
      count(1);
    }
    return b;
  }

  @Override
  public int read(byte[] bytes, int offset, int length) throws IOException {
    int n = super.read(bytes, offset, length);
    if (n > 0) {
      count(n);
    }
    return n;
  }

  private void count(int bytes) throws TooLongException {
    allowed -= bytes;
    if (allowed < 0) {
      throw new TooLongException();
    }
  }
}
