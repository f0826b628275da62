package dev.cairn.action;

import dev.cairn.platform.database.Database;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.time.Instant;

/** What is counted of runs and attempts; {@code docs/monitoring.md}, Metrics. */
@Singleton
class ActionMetrics {
  private final MeterRegistry registry;
  private final Database database;
  private final Counter made;
  private final Counter depth;
  private final Counter opened;
  private final Timer lag;

  ActionMetrics(MeterRegistry registry, Database database) {
    this.registry = registry;
    this.database = database;
    this.made = counter("cairn.runs.made", "Runs that were made");
    this.depth =
        counter("cairn.runs.too.deep", "Commits without runs because of the trace's depth");
    this.opened = counter("cairn.targets.opened", "Times that the circuit of a target opened");
    this.lag =
        Timer.builder("cairn.runs.lag")
            .description("From the making of a run to the beginning of its first attempt")
            .register(registry);
  }

  private Counter counter(String name, String description) {
    return Counter.builder(name).description(description).register(registry);
  }

  /** Runs were made, in the transaction at hand. */
  void made(int count) {
    database.afterCommit(() -> made.increment(count));
  }

  /** A commit made no runs, since they would be too deep in their trace. */
  void suppressedByDepth() {
    depth.increment();
  }

  /** The circuit of a target opened. */
  void opened() {
    opened.increment();
  }

  /** An attempt begins. */
  void began(ClaimedRun run) {
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
        .tag("outcome", label(outcome))
        .register(registry)
        .record(took);
  }

  /** The name of an outcome in metrics and spans. */
  static String label(Outcome outcome) {
    return switch (outcome) {
      case Outcome.Succeeded _ -> "succeeded";
      case Outcome.Accepted _ -> "accepted";
      case Outcome.Failed failed -> failed.isRetryable() ? "failed" : "failed_terminal";
    };
  }

  /** Counts, once the surrounding transaction is committed, runs that got another status in it. */
  void statusChanged(String executor, RunStatus status, int count) {
    var counter =
        Counter.builder("cairn.runs.transitions")
            .description("Changes of the status of runs after their creation, by the new status")
            .tag("executor", executor)
            .tag("status", status.wire())
            .register(registry);
    database.afterCommit(() -> counter.increment(count));
  }
}
