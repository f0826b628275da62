package dev.cairn.action;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.time.Instant;

/** What is counted of runs and attempts; {@code docs/operation.md}, Metrics. */
@Singleton
class ActionMetrics {
  private final MeterRegistry registry;
  private final Counter made;
  private final Counter depth;
  private final Counter opened;
  private final Timer lag;

  ActionMetrics(MeterRegistry registry) {
    this.registry = registry;
    this.made = counter("cairn.runs.made", "Runs that were made");
    this.depth =
        counter("cairn.runs.too.deep", "Commits without runs because of the trace's depth");
    this.opened = counter("cairn.targets.opened", "Times that calls to a failing target stopped");
    this.lag =
        Timer.builder("cairn.runs.lag")
            .description("From the making of a run to the beginning of its first attempt")
            .register(registry);
  }

  private Counter counter(String name, String description) {
    return Counter.builder(name).description(description).register(registry);
  }

  /** Runs were made. */
  void made(int count) {
    made.increment(count);
  }

  /** A commit made no runs, since its trace is too deep. */
  void endedByDepth() {
    depth.increment();
  }

  /** Calls to a target stopped. */
  void opened() {
    opened.increment();
  }

  /** An attempt begins. */
  void began(Claimed run) {
    if (run.running().number() == 1) {
      var waited = Duration.between(run.createdAt(), Instant.now());
      lag.record(waited.isNegative() ? Duration.ZERO : waited);
    }
  }

  /** An executor has answered. */
  void answered(String kind, Outcome outcome, Duration took) {
    Timer.builder("cairn.attempts")
        .description("Attempts by executor and outcome, with their times")
        .tag("executor", kind)
        .tag("outcome", word(outcome))
        .register(registry)
        .record(took);
  }

  private static String word(Outcome outcome) {
    return switch (outcome) {
      case Outcome.Succeeded _ -> "succeeded";
      case Outcome.Accepted _ -> "accepted";
      case Outcome.Failed failed -> failed.retryable() ? "failed" : "failed_terminal";
    };
  }

  /** A run has changed. */
  void settled(Settlement settlement) {
    Counter.builder("cairn.runs.settled")
        .description("Ends of attempts by the status that they gave to their runs")
        .tag("status", settlement.status().wire())
        .register(registry)
        .increment();
  }
}
