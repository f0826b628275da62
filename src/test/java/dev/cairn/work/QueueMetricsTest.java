package dev.cairn.work;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Operation, Queues: the metrics of queues that cannot be counted. */
class QueueMetricsTest {
  @Test
  void if_the_database_does_not_answer_no_numbers_are_shown_rather_than_old_ones() {
    var registry = new SimpleMeterRegistry();
    var away = new boolean[1];
    var sampled =
        new QueueMetrics(
            List.of(
                () -> {
                  if (away[0]) {
                    throw new IllegalStateException("away");
                  }
                  return List.of(new CountedQueue.Count("line", "due", 3, 4.5));
                }),
            registry);
    sampled.sample();
    assertEquals(3, registry.get("cairn.queue.depth").tag("queue", "line").gauge().value());
    assertEquals(4.5, registry.get("cairn.queue.oldest").tag("queue", "line").gauge().value());
    assertEquals(1, registry.get("cairn.queues.known").gauge().value());
    away[0] = true;
    sampled.sample();
    assertEquals(List.of(), List.copyOf(registry.find("cairn.queue.depth").gauges()));
    assertEquals(List.of(), List.copyOf(registry.find("cairn.queue.oldest").gauges()));
    assertEquals(0, registry.get("cairn.queues.known").gauge().value());
  }
}
