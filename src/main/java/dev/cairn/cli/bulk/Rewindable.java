package dev.cairn.cli.bulk;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;

/** The standard input, whose beginning is read twice: to recognize it, and to import it. */
final class Rewindable extends BufferedInputStream {
  /** More than is read ahead to recognize a file. */
  private static final int BEGIN_BYTES = 2 * 1024 * 1024;

  Rewindable(InputStream in) {
    super(in);
    mark(BEGIN_BYTES);
  }

  /** Goes back to the beginning. */
  void rewind() throws IOException {
    reset();
    mark(0);
  }
}
