package dev.cairn.action;

import dev.cairn.platform.operation.Traces;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanContext;
import io.opentelemetry.api.trace.SpanId;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.api.trace.StatusCode;
import io.opentelemetry.api.trace.TraceFlags;
import io.opentelemetry.api.trace.TraceState;
import io.opentelemetry.context.Context;
import io.opentelemetry.semconv.ErrorAttributes;
import jakarta.inject.Singleton;
import java.util.concurrent.ThreadLocalRandom;

/** The span of each attempt, in the trace of its run; {@code docs/monitoring.md}, Traces. */
@Singleton
class AttemptSpans {
  private final Traces traces;

  AttemptSpans(Traces traces) {
    this.traces = traces;
  }

  /**
   * Begins the span of an attempt. To be in a given trace, a span needs a parent there, so it gets
   * one that is never exported. If tracing is off, the span has the ids of that parent, so that
   * each attempt has ids of its own in any case.
   */
  Span begin(ClaimedRun run) {
    var parent =
        SpanContext.createFromRemoteParent(
            run.traceId().toString().replace("-", ""),
            SpanId.fromLong(ThreadLocalRandom.current().nextLong() | 1), // never zero
            TraceFlags.getSampled(),
            TraceState.getDefault());
    var kind = run.target().executor();
    return traces
        .tracer()
        .spanBuilder("attempt " + kind)
        .setSpanKind(SpanKind.CLIENT)
        .setParent(Context.root().with(Span.wrap(parent)))
        .setAttribute("cairn.run.id", run.running().runId().toString())
        .setAttribute("cairn.attempt.number", run.running().number())
        .setAttribute("cairn.attempt.executor", kind)
        .startSpan();
  }

  /** The span as W3C has it, for a header of that name. */
  static String traceparent(Span span) {
    var context = span.getSpanContext();
    return "00-%s-%s-%s"
        .formatted(context.getTraceId(), context.getSpanId(), context.getTraceFlags().asHex());
  }

  /** Sets the attributes and the status of a span by the outcome of its attempt. */
  static void recordOutcome(Span span, Outcome outcome) {
    span.setAttribute("cairn.attempt.outcome", ActionMetrics.label(outcome));
    if (outcome instanceof Outcome.Failed failed) {
      span.setAttribute(ErrorAttributes.ERROR_TYPE, failed.code());
      span.setStatus(StatusCode.ERROR);
    }
  }
}
