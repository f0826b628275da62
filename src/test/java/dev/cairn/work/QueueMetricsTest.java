package dev.cairn.work;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.cairn.HttpTest;
import dev.cairn.InProcess;
import dev.cairn.platform.database.Database;
import dev.cairn.platform.database.StatementBatch;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.quarkus.test.junit.QuarkusTest;
import jakarta.inject.Inject;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Monitoring, Queues: the metrics of queues that cannot be counted. */
@HttpTest
@QuarkusTest
@InProcess("It counts queues of its own.")
class QueueMetricsTest {
  @Inject Database database;

  @Test
  void if_a_queue_cannot_be_counted_no_numbers_are_shown_rather_than_old_ones() {
    var registry = new SimpleMeterRegistry();
    var away = new boolean[1];
    var sampled =
        new QueueMetrics(
            database,
            List.of(
                counted ->
                    new StatementBatch()
                        .add(
                            "select 3, 4.5 / ?::int",
                            row -> {
                              counted.accept(
                                  new CountedQueue.Count(
                                      "line", "due", row.getLong(1), row.getDouble(2)));
                              return true;
                            },
                            away[0] ? 0 : 1)),
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
