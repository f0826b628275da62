package dev.cairn.platform.operation;

import io.opentelemetry.api.OpenTelemetry;
import io.opentelemetry.api.trace.Tracer;
import io.opentelemetry.api.trace.TracerProvider;
import jakarta.inject.Singleton;
import org.eclipse.microprofile.config.inject.ConfigProperty;

/**
 * Whether tracing is on, and the tracer that makes spans; {@code docs/monitoring.md}, Traces. An
 * OpenTelemetry that is disabled would still build spans, only to drop them.
 */
@Singleton
public final class Traces {
  private final boolean on;
  private final Tracer tracer;

  Traces(
      OpenTelemetry telemetry,
      @ConfigProperty(name = "quarkus.otel.sdk.disabled") boolean disabled) {
    this.on = !disabled;
    this.tracer = (on ? telemetry.getTracerProvider() : TracerProvider.noop()).get("cairn");
  }

  /** Whether spans are sent anywhere. */
  boolean areOn() {
    return on;
  }

  /** The tracer. If tracing is off, its spans record nothing and have the ids of their parents. */
  public Tracer tracer() {
    return tracer;
  }
}
