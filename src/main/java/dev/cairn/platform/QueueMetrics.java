package dev.cairn.platform;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.MultiGauge;
import io.micrometer.core.instrument.MultiGauge.Row;
import io.micrometer.core.instrument.Tags;
import io.quarkus.arc.All;
import io.quarkus.scheduler.Scheduled;
import io.quarkus.scheduler.Scheduled.ConcurrentExecution;
import io.smallrye.common.annotation.RunOnVirtualThread;
import jakarta.enterprise.context.ApplicationScoped;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jboss.logging.Logger;

/**
 * Shows how much waits in the database. The queues are asked on schedule and never while somebody
 * reads the metrics; every replica asks, whatever its role, so that the numbers are there when all
 * workers are gone. See {@code docs/monitoring.md}, Queues.
 */
@ApplicationScoped
public class QueueMetrics {
  private static final Logger LOG = Logger.getLogger(QueueMetrics.class);
  private static final Duration MOST = Duration.ofSeconds(2);

  private final List<Queue> queues;
  private final MultiGauge depth;
  private final MultiGauge oldest;
  private volatile boolean known;

  QueueMetrics(@All List<Queue> queues, MeterRegistry registry) {
    this.queues = queues;
    this.depth =
        MultiGauge.builder("cairn.queue.depth")
            .description("How many wait in a queue of the database, counted up to 10,000")
            .register(registry);
    this.oldest =
        MultiGauge.builder("cairn.queue.oldest")
            .description("How long the oldest one of a queue has been due")
            .baseUnit("seconds")
            .register(registry);
    Gauge.builder("cairn.queues.known", this, metrics -> metrics.known ? 1 : 0)
        .description("1 where the queues were counted by the last look at them, 0 where not")
        .strongReference(true)
        .register(registry);
  }

  /** Asks all queues. Where one does not answer, nothing is shown rather than what was once. */
  @Scheduled(every = "15s", delayed = "5s", concurrentExecution = ConcurrentExecution.SKIP)
  @RunOnVirtualThread
  public void sample() {
    var lengths = new ArrayList<Queue.Length>();
    try {
      Database.within(MOST, () -> queues.stream().allMatch(q -> lengths.addAll(q.lengths())));
      known = true;
    } catch (RuntimeException e) {
      lengths.clear();
      known = false;
      LOG.warnf("the queues cannot be counted: %s", e.getMessage());
    }
    depth.register(lengths.stream().map(l -> row(l, l.depth())).toList(), true);
    oldest.register(lengths.stream().map(l -> row(l, l.oldestSeconds())).toList(), true);
  }

  private static Row<Number> row(Queue.Length length, Number value) {
    return Row.of(Tags.of("queue", length.queue(), "state", length.state()), value);
  }
}
