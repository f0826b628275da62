package dev.cairn.platform;

import dev.cairn.model.ErrorCode;
import dev.cairn.model.Problem;
import jakarta.inject.Singleton;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/**
 * Bounds the memory of large bodies that are worked on at the same time. A parsed body takes many
 * times its length, so the share of the heap is small; who finds no room waits, and is asked to
 * come again when the wait gets long.
 */
@Singleton
public class BodyMemory {
  private static final int SHARE_OF_HEAP = 16;
  private static final int KIB = 1024;
  private static final int WAIT_SECONDS = 20;

  private final int roomKib = (int) (Runtime.getRuntime().maxMemory() / SHARE_OF_HEAP / KIB);
  private final Semaphore free = new Semaphore(roomKib, true);

  /**
   * Runs {@code work} when there is room for a body of so many bytes.
   *
   * @param bytes the announced length; negative where it is not known, which counts as the largest
   */
  public <T> T within(long bytes, Supplier<T> work) {
    long length = bytes < 0 ? RequestLimits.MAX_BODY : bytes;
    int kib = (int) Math.min(roomKib, length / KIB + 1);
    if (!acquired(kib)) {
      throw Problem.of(ErrorCode.UNAVAILABLE, "Too many large requests at this moment.");
    }
    try {
      return work.get();
    } finally {
      free.release(kib);
    }
  }

  private boolean acquired(int kib) {
    try {
      return free.tryAcquire(kib, WAIT_SECONDS, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }
}
