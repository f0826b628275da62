package dev.cairn.client;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;

/**
 * An input that is closed if a reader waits too long for it, so that no reader waits for ever for a
 * server that is gone without a word. The time that the reader itself takes does not count.
 */
final class TimeoutInputStream extends FilterInputStream {
  private final long longestNanos;
  private final Thread watch;
  private volatile boolean isWaiting;
  private volatile long waitingSince;
  private volatile boolean hasExpired;

  TimeoutInputStream(InputStream in, Duration longest) {
    super(in);
    longestNanos = longest.toNanos();
    watch = Thread.startVirtualThread(this::watch);
  }

  private void watch() {
    try {
      long left = longestNanos;
      while (left > 0) {
        Thread.sleep(Duration.ofNanos(left));
        left = isWaiting ? waitingSince + longestNanos - System.nanoTime() : longestNanos;
      }
      hasExpired = true;
      in.close();
    } catch (IOException | InterruptedException e) {
      // It is closed already.
    }
  }

  @Override
  public int read() throws IOException {
    begin();
    try {
      return heard(in.read());
    } catch (IOException e) {
      throw cause(e);
    } finally {
      isWaiting = false;
    }
  }

  @Override
  public int read(byte[] buffer, int offset, int length) throws IOException {
    begin();
    try {
      return heard(in.read(buffer, offset, length));
    } catch (IOException e) {
      throw cause(e);
    } finally {
      isWaiting = false;
    }
  }

  private void begin() {
    waitingSince = System.nanoTime();
    isWaiting = true;
  }

  private int heard(int read) {
    if (read < 0) {
      watch.interrupt();
    }
    return read;
  }

  private IOException cause(IOException e) {
    return hasExpired
        ? new IOException(
            "nothing came for " + Duration.ofNanos(longestNanos).toSeconds() + " s", e)
        : e;
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
