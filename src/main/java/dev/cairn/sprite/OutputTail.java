package dev.cairn.sprite;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** Reads a stream to its end and keeps the last 64 KiB of it. */
final class OutputTail {
  static final int KEPT = 64 * 1024;

  private final byte[] ring = new byte[KEPT];
  private final Thread reader;
  private long read;

  private OutputTail(InputStream stream) {
    // Reading a pipe would hold the carrier of a virtual thread.
    this.reader = Thread.ofPlatform().daemon().name("sprite output").unstarted(() -> drain(stream));
  }

  /** Begins to read. */
  static OutputTail of(InputStream stream) {
    var tail = new OutputTail(stream);
    tail.reader.start();
    return tail;
  }

  private void drain(InputStream stream) {
    var piece = new byte[8 * 1024];
    try (stream) {
      for (int n = stream.read(piece); n >= 0; n = stream.read(piece)) {
        keep(piece, n);
      }
    } catch (IOException e) {
      // The process was killed: what it wrote before is here.
    }
  }

  private synchronized void keep(byte[] piece, int length) {
    int at = (int) (read % KEPT);
    int first = Math.min(length, KEPT - at);
    System.arraycopy(piece, 0, ring, at, first);
    System.arraycopy(piece, first, ring, 0, length - first);
    read += length;
  }

  /** What was kept, once the stream has ended or {@code millis} later. */
  String text(long millis) throws InterruptedException {
    reader.join(millis);
    return new String(kept(), StandardCharsets.UTF_8);
  }

  private synchronized byte[] kept() {
    if (read <= KEPT) {
      return Arrays.copyOf(ring, (int) read);
    }
    int at = (int) (read % KEPT);
    var kept = Arrays.copyOfRange(ring, at, at + KEPT);
    System.arraycopy(ring, at, kept, 0, KEPT - at);
    System.arraycopy(ring, 0, kept, KEPT - at, at);
    return kept;
  }
}
