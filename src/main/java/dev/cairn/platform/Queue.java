package dev.cairn.platform;

import java.util.List;

/** Work that waits in the database; {@link QueueMetrics} asks all of them how much. */
public interface Queue {
  /** More is not counted, so that a long queue costs no more than that. */
  int MOST = 10_000;

  /**
   * How many wait, and for how long.
   *
   * @param queue the queue's name
   * @param state what they wait for; {@code due} where they wait for somebody who does them
   * @param depth how many, {@value #MOST} at the most
   * @param oldestSeconds how long the oldest one of them has been due; 0 where none is
   */
  record Length(String queue, String state, long depth, double oldestSeconds) {}

  /** All of its lengths of now, those too that are 0; one bounded query. */
  List<Length> lengths();
}
