package dev.cairn.client;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;

/**
 * An input that is closed if nothing comes for too long, so that a reader does not wait for ever
 * for a server that is gone without a word.
 */
final class Watched extends FilterInputStream {
  private final long longestNanos;
  private final Thread watch;
  private volatile long lastRead = System.nanoTime();

  Watched(InputStream in, Duration longest) {
    super(in);
    longestNanos = longest.toNanos();
    watch = Thread.startVirtualThread(this::watch);
  }

  private void watch() {
    try {
      long left = longestNanos;
      while (left > 0) {
        Thread.sleep(Duration.ofNanos(left));
        left = lastRead + longestNanos - System.nanoTime();
      }
      in.close();
    } catch (IOException | InterruptedException e) {
      // It is closed already.
    }
  }

  @Override
  public int read() throws IOException {
    return heard(in.read());
  }

  @Override
  public int read(byte[] buffer, int offset, int length) throws IOException {
    return heard(in.read(buffer, offset, length));
  }

  private int heard(int read) {
    lastRead = System.nanoTime();
    return read;
  }

  /** Closes the input, also while another thread reads from it. */
  @Override
  public void close() {
    watch.interrupt();
    try {
      in.close();
    } catch (IOException e) {
      // There is nothing more to read from it.
    }
  }
}
