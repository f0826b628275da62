package dev.cairn.client;

import java.io.IOException;
import java.io.OutputStream;

/** The operations of a streaming submission, one JSON object a line. */
@FunctionalInterface
public interface StreamBody {
  /**
   * Writes all lines, each with a line feed at its end. It runs in a thread of its own, and waits
   * in {@code write} while the service does not read. {@code flush} sends what was written so far.
   *
   * @throws IOException if the lines cannot be made; the submission then ends without a regular end
   */
  void writeTo(OutputStream out) throws IOException;
}
