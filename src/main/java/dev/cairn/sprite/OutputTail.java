package dev.cairn.sprite;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.nio.channels.Channels;
import java.nio.channels.SeekableByteChannel;

/** Reads the end of the output of a command. */
final class OutputTail {
  /** The maximum length, in bytes. */
  static final int MAX_BYTES = 64 * 1024;

  private OutputTail() {}

  /** Whether a file is longer than what is kept of it. */
  static boolean isCut(SeekableByteChannel file) throws IOException {
    return file.size() > MAX_BYTES;
  }

  /** The last bytes of a file, at most {@link #MAX_BYTES}, however long it is. */
  static String of(SeekableByteChannel file) throws IOException {
    file.position(Math.max(0, file.size() - MAX_BYTES));
    return new String(Channels.newInputStream(file).readNBytes(MAX_BYTES), UTF_8);
  }
}
