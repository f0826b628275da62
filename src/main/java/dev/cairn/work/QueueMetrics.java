package dev.cairn.work;

import dev.cairn.platform.database.Database;
import dev.cairn.platform.database.StatementBatch;
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
import java.util.LinkedHashMap;
import java.util.List;
import org.jboss.logging.Logger;

/**
 * Metrics of the depth and age of each {@link CountedQueue}. The queues are counted on schedule and
 * never by a scrape. Every replica counts them, whatever its role, so that the numbers exist even
 * if no worker runs. See {@code docs/monitoring.md}, Queues.
 */
@ApplicationScoped
public class QueueMetrics {
  private static final Logger LOG = Logger.getLogger(QueueMetrics.class);
  private static final Duration MAX_DURATION = Duration.ofSeconds(2);

  private final Database database;
  private final List<CountedQueue> queues;
  private final MultiGauge depth;
  private final MultiGauge oldest;
  private volatile boolean known;

  QueueMetrics(Database database, @All List<CountedQueue> queues, MeterRegistry registry) {
    this.database = database;
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
        .description("1 if the last count of the queues succeeded, otherwise 0")
        .strongReference(true)
        .register(registry);
  }

  /** Counts all queues. If one cannot be counted, no numbers are shown rather than old ones. */
  @Scheduled(every = "15s", delayed = "5s", concurrentExecution = ConcurrentExecution.SKIP)
  @RunOnVirtualThread
  public void sample() {
    List<CountedQueue.Count> counts = List.of();
    try {
      counts = Database.within(MAX_DURATION, this::counts);
      known = true;
    } catch (RuntimeException e) {
      known = false;
      LOG.warnf("the queues cannot be counted: %s", e.getMessage());
    }
    depth.register(counts.stream().map(count -> row(count, count.depth())).toList(), true);
    oldest.register(counts.stream().map(count -> row(count, count.oldestSeconds())).toList(), true);
  }

  /** The counts of all queues, in one round trip. */
  public List<CountedQueue.Count> counts() {
    var counts = new LinkedHashMap<List<String>, CountedQueue.Count>();
    var batch = new StatementBatch();
    for (var queue : queues) {
      batch.add(queue.counts(count -> counts.put(List.of(count.queue(), count.state()), count)));
    }
    database.send(batch);
    return List.copyOf(counts.values());
  }

  private static Row<Number> row(CountedQueue.Count count, Number value) {
    return Row.of(Tags.of("queue", count.queue(), "state", count.state()), value);
  }
}
