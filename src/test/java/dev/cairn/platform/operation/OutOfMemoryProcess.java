package dev.cairn.platform.operation;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.logging.Level;
import java.util.logging.Logger;

/** A process of {@link OutOfMemoryTest} that runs out of memory. */
final class OutOfMemoryProcess {
  private static final List<byte[]> KEPT = new ArrayList<>();

  private OutOfMemoryProcess() {}

  /**
   * Uses all memory.
   *
   * @param args {@code thread} if the error ends a thread, {@code log} if it is caught and logged
   */
  public static void main(String[] args) throws InterruptedException {
    if (args[0].equals("thread")) {
      OutOfMemory.watchThreads();
      Thread.ofPlatform().start(OutOfMemoryProcess::fill);
    } else {
      new OutOfMemory().watchLog(null);
      try {
        fill();
      } catch (OutOfMemoryError e) {
        Logger.getLogger("any").log(Level.SEVERE, "caught", new IllegalStateException(e));
      }
    }
    TimeUnit.MINUTES.sleep(1);
  }

  private static void fill() {
    for (int length = 1024 * 1024; ; length *= 2) {
      KEPT.add(new byte[length]);
    }
  }
}
