package dev.cairn.platform.memory;

import java.time.Duration;

/** Bytes that arrive over time, for one virtual thread that reads them. */
public interface PartwiseInput extends AutoCloseable {
  /**
   * Reads what has arrived, and waits for it.
   *
   * @param into takes the bytes
   * @param offset where the first one goes
   * @param count how many at most, at least 1
   * @param wait how long to wait for the first of them
   * @return how many were read; 0 if none arrived in time, -1 if there are no more
   * @throws dev.cairn.platform.ClientGoneException if the connection was closed before the end
   * @throws dev.cairn.model.Problem {@code VALIDATION_ERROR} if they are not what was announced
   */
  int read(byte[] into, int offset, int count, Duration wait);

  /** Releases what reading takes besides the bytes; nothing is read afterwards. */
  @Override
  default void close() {}
}
