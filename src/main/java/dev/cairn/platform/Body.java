package dev.cairn.platform;

import java.io.ByteArrayOutputStream;

/**
 * Bytes to send that need not be in memory at once: they are read piece by piece, as fast as the
 * receiver takes them. Each reading gives the same bytes.
 */
public interface Body {
  /** The number of bytes. */
  long length();

  /** Begins to read them. */
  Pieces read();

  /** Work that needs all bytes at once. */
  @FunctionalInterface
  interface Use<T, E extends Exception> {
    /** Uses the bytes, which must not be kept. */
    T with(byte[] bytes) throws E, InterruptedException;
  }

  /** The bytes from a reader's beginning to its end. */
  interface Pieces {
    /**
     * Reads the next piece; may block.
     *
     * @return null at the end
     */
    byte[] next() throws InterruptedException;
  }

  /**
   * Passes all bytes to {@code use} at once. A large body waits for room in memory, and holds the
   * room until the work is done: so the work must not wait for anything that users control.
   */
  <T, E extends Exception> T whole(Use<T, E> use) throws E, InterruptedException;

  /** All bytes, collected. */
  default byte[] bytes() throws InterruptedException {
    var all = new ByteArrayOutputStream(Math.toIntExact(length()));
    var pieces = read();
    for (var piece = pieces.next(); piece != null; piece = pieces.next()) {
      all.writeBytes(piece);
    }
    return all.toByteArray();
  }

  /** Bytes that are in memory. */
  static Body of(byte[] bytes) {
    return new Body() {
      @Override
      public long length() {
        return bytes.length;
      }

      @Override
      public Pieces read() {
        return new Pieces() {
          private boolean isRead;

          @Override
          public byte[] next() {
            var piece = isRead ? null : bytes;
            isRead = true;
            return piece;
          }
        };
      }

      @Override
      public <T, E extends Exception> T whole(Use<T, E> use) throws E, InterruptedException {
        return use.with(bytes);
      }
    };
  }
}
