package dev.cairn.stream;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import jakarta.inject.Singleton;

/** Metrics of streaming submissions, see {@code docs/monitoring.md}, Metrics. */
@Singleton
class StreamMetrics {
  private final MeterRegistry registry;

  StreamMetrics(MeterRegistry registry) {
    this.registry = registry;
  }

  /**
   * Counts a run that has ended.
   *
   * @param before how far the submission was when it began
   * @param outcome {@code finished}, {@code client_gone}, {@code aborted} or the code of a problem
   */
  void ended(Progress before, Progress after, String outcome) {
    Counter.builder("cairn.streams.ended")
        .description("Streaming submissions that have ended, by outcome")
        .tag("outcome", outcome)
        .register(registry)
        .increment();
    count("applied", after.applied() - before.applied());
    count("noop", after.noops() - before.noops());
    count("error", after.errors() - before.errors());
  }

  private void count(String status, int operations) {
    Counter.builder("cairn.streams.operations")
        .description("Operations of streaming submissions that have ended, by status")
        .tag("status", status)
        .register(registry)
        .increment(operations);
  }
}
