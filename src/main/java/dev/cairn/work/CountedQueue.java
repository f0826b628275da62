package dev.cairn.work;

import dev.cairn.platform.database.StatementBatch;
import java.util.function.Consumer;

/**
 * Work that waits in the database and can be counted. Each implementation is a bean; {@link
 * QueueMetrics} calls all of them on schedule.
 */
public interface CountedQueue {
  /** The count of a state stops here, so that a long queue costs no more than this. */
  int MAX_COUNTED = 10_000;

  /**
   * How many rows of a queue are in one state, and for how long.
   *
   * @param queue the queue's name
   * @param state what the rows wait for; {@code due} if they wait for a worker
   * @param depth how many, at most {@value #MAX_COUNTED}
   * @param oldestSeconds how long the oldest of them has been due; 0 if none is due
   */
  record Count(String queue, String state, long depth, double oldestSeconds) {}

  /**
   * A bounded query that counts each state of the queue.
   *
   * @param counted takes the counts; of several of one state, the last one holds. So states that
   *     may have no row can be passed as 0 first
   */
  StatementBatch counts(Consumer<Count> counted);
}
