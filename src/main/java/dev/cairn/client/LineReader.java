package dev.cairn.client;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;

/** Reads lines of UTF-8, none of which may need more memory than is allowed. */
final class LineReader implements AutoCloseable {
  private final InputStream in;
  private final int maxBytes;
  private final ByteArrayOutputStream line = new ByteArrayOutputStream();

  LineReader(InputStream in, int maxBytes) {
    this.in = new BufferedInputStream(in);
    this.maxBytes = maxBytes;
  }

  /**
   * The next line, without its end; null at the end of the input. A last line without a line feed
   * was cut off, and counts as the end.
   *
   * @throws IOException if it cannot be read, or is too long
   */
  @Nullable
  String next() throws IOException {
    line.reset();
    for (int read = in.read(); read != '\n'; read = in.read()) {
      if (read < 0) {
        return null;
      }
      if (line.size() == maxBytes) {
        throw new IOException("a line has more than " + maxBytes + " bytes");
      }
      line.write(read);
    }
    var text = line.toString(StandardCharsets.UTF_8);
    return text.endsWith("\r") ? text.substring(0, text.length() - 1) : text;
  }

  @Override
  public void close() throws IOException {
    in.close();
  }
}
