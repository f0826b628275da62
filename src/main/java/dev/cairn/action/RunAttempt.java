package dev.cairn.action;

import dev.cairn.work.WorkItem;
import dev.cairn.work.WorkTarget;
import io.opentelemetry.api.trace.Span;
import java.time.Duration;
import java.util.Map;
import java.util.UUID;

/** An attempt at a run that this replica carries out, with its span and its time. */
final class RunAttempt implements WorkItem {
  private final ClaimedRun run;
  private final long began = System.nanoTime();
  private volatile Span span = Span.getInvalid();

  RunAttempt(ClaimedRun run) {
    this.run = run;
  }

  /** The run, as it was claimed. */
  ClaimedRun run() {
    return run;
  }

  /** What traces show of it; ends with the attempt. */
  Span span() {
    return span;
  }

  void begin(Span begun) {
    span = begun;
  }

  /** How long ago it was claimed. */
  Duration elapsed() {
    return Duration.ofNanos(System.nanoTime() - began);
  }

  @Override
  public UUID repoId() {
    return run.running().repoId();
  }

  @Override
  public UUID id() {
    return run.running().runId();
  }

  @Override
  public WorkTarget target() {
    return run.target();
  }

  @Override
  public Map<String, Object> logIds() {
    return Map.of("repoId", repoId(), "runId", id(), "attempt", run.running().number());
  }

  @Override
  public String toString() {
    return run.toString();
  }
}
