package dev.cairn.cli.bulk;

import java.io.Closeable;
import java.io.IOException;

/** The objects of a file, read one by one. */
interface ItemReader extends Closeable {
  /**
   * The next one, which may be faulty.
   *
   * @return null at the end
   * @throws IOException if the file cannot be read any further
   */
  Item next() throws IOException;
}
