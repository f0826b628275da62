package dev.cairn.work;

import java.util.List;

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

  /** Counts each state of the queue, including those that are 0, by one bounded query. */
  List<Count> counts();
}
