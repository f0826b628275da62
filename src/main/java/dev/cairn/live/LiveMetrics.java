package dev.cairn.live;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.time.Instant;
import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.jboss.logging.Logger;

/** Metrics of live updates, see {@code docs/monitoring.md}, Metrics. */
@Singleton
class LiveMetrics {
  private static final Logger LOG = Logger.getLogger(LiveMetrics.class);

  private final Map<Ending, Counter> ended;
  private final Timer lag;
  private final Counter delayed;
  private final Counter told;
  private final Counter untold;
  private final AtomicInteger queries = new AtomicInteger();

  LiveMetrics(MeterRegistry registry) {
    this.ended = new EnumMap<>(Ending.class);
    for (var reason : Ending.values()) {
      ended.put(
          reason,
          Counter.builder("cairn.live.ended")
              .description("Clients whose live updates the service ended, by reason")
              .tag("reason", reason.wire())
              .register(registry));
    }
    this.lag =
        Timer.builder("cairn.live.lag")
            .description("From a commit to the event that tells a client of it, for each client")
            .publishPercentileHistogram()
            .register(registry);
    this.delayed =
        Counter.builder("cairn.live.delayed")
            .description("How often a client had to wait, because changes could not be read")
            .register(registry);
    this.told = runs(registry, true);
    this.untold = runs(registry, false);
    Gauge.builder("cairn.live.queries", queries, AtomicInteger::get)
        .description("Queries whose results clients of this replica follow over WebSockets")
        .register(registry);
  }

  /**
   * A client was told of a commit.
   *
   * @param createdAt when it was made
   */
  void told(Instant createdAt) {
    var since = Duration.between(createdAt, Instant.now());
    lag.record(since.isNegative() ? Duration.ZERO : since);
  }

  /** A client has to wait, because changes could not be read. */
  void delayed(RuntimeException reason) {
    LOG.debugf("live updates wait: %s", reason.getMessage());
    delayed.increment();
  }

  /** There are more queries whose results clients follow, or less. */
  void queries(int more) {
    queries.addAndGet(more);
  }

  private static Counter runs(MeterRegistry registry, boolean isTold) {
    return Counter.builder("cairn.live.runs")
        .description(
            "Runs of queries whose results clients follow, by whether the client was told a result")
        .tag("told", Boolean.toString(isTold))
        .register(registry);
  }

  /** A query was run whose result a client follows. */
  void ran(boolean isTold) {
    (isTold ? told : untold).increment();
  }

  /** Live updates to a client were ended by the service. */
  void ended(Ending reason) {
    ended.get(reason).increment();
  }
}
