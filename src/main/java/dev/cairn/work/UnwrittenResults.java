package dev.cairn.work;

import dev.cairn.platform.LogIds;
import java.time.Duration;
import java.util.HashSet;
import java.util.UUID;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Consumer;
import org.jboss.logging.Logger;

/**
 * Writes the results of attempts, and keeps those that the database has not taken yet. There are at
 * most as many as slots, because each of their attempts keeps its slot, and its lease is renewed.
 */
final class UnwrittenResults<T extends WorkItem, R> {
  private static final Logger LOG = Logger.getLogger(UnwrittenResults.class);

  /** While the database is unavailable, or many repositories are busy, each write takes long. */
  private static final Duration MAX_DURATION = Duration.ofSeconds(4);

  private final ConcurrentLinkedQueue<Unwritten<T, R>> queue = new ConcurrentLinkedQueue<>();

  private record Unwritten<T extends WorkItem, R>(
      ActiveAttempt<T, R> attempt, Recording recording) {}

  /**
   * Writes the result of an attempt, unless another worker has the item by now. If the database
   * does not take it, it is kept for {@link #writeAgain}.
   *
   * @return whether nothing is left to write
   */
  boolean write(ActiveAttempt<T, R> attempt, Recording recording) {
    return write(new Unwritten<>(attempt, recording));
  }

  private boolean write(Unwritten<T, R> result) {
    if (result.attempt().isLost()) {
      return true;
    }
    try {
      result.recording().write();
      return true;
    } catch (RuntimeException e) {
      LOG.warnf(
          "the result of %s cannot be written yet: %s", result.attempt().item(), e.getMessage());
      queue.add(result);
      return false;
    }
  }

  /**
   * Writes the results that are kept. If one fails, it goes to the end of the queue with the others
   * of its repository, so that a busy repository does not hold back others.
   *
   * @param onWritten takes each attempt of which nothing is left to write
   */
  void writeAgain(Consumer<ActiveAttempt<T, R>> onWritten) {
    var busy = new HashSet<UUID>();
    long until = System.nanoTime() + MAX_DURATION.toNanos();
    for (int left = queue.size(); left > 0 && until - System.nanoTime() > 0; left--) {
      var result = queue.poll();
      if (result == null) {
        return;
      }
      var item = result.attempt().item();
      if (busy.contains(item.repoId())) {
        queue.add(result);
      } else if (writeWithLogIds(result)) {
        onWritten.accept(result.attempt());
      } else {
        busy.add(item.repoId());
      }
    }
  }

  private boolean writeWithLogIds(Unwritten<T, R> result) {
    try (var _ = LogIds.of(result.attempt().item().logIds())) {
      return write(result);
    }
  }
}
