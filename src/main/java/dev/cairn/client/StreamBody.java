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

  /**
   * Whether {@link #writeTo} can be called a second time, and writes the same lines then. If so,
   * the submission is sent again with a new token if the service refuses the first one.
   */
  default boolean isRepeatable() {
    return false;
  }

  /** Lines in memory, which can be written again. */
  static StreamBody of(byte[] lines) {
    return new StreamBody() {
      @Override
      public void writeTo(OutputStream out) throws IOException {
        out.write(lines);
      }

      @Override
      public boolean isRepeatable() {
        return true;
      }
    };
  }
}
