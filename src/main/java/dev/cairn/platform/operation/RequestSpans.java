package dev.cairn.platform.operation;

import dev.cairn.platform.http.FilterPriority;
import dev.cairn.platform.http.RequestEnd;
import dev.cairn.platform.http.RequestLimits;
import dev.cairn.platform.memory.StreamedBody;
import io.opentelemetry.api.OpenTelemetry;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanContext;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.api.trace.StatusCode;
import io.opentelemetry.api.trace.TraceState;
import io.opentelemetry.context.Context;
import io.opentelemetry.context.propagation.TextMapGetter;
import io.opentelemetry.context.propagation.TextMapPropagator;
import io.opentelemetry.semconv.ErrorAttributes;
import io.opentelemetry.semconv.HttpAttributes;
import io.quarkus.vertx.http.runtime.filters.Filters;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.ext.web.RoutingContext;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * Makes a span of each request, in the trace of its caller's {@code traceparent}. It holds the
 * method, the template of the path and the status, and nothing else: paths contain private names,
 * and a URI can contain secrets. So it is made here, instead of by Quarkus. {@code
 * docs/monitoring.md}, Traces.
 */
@Singleton
class RequestSpans {
  private static final int FAULT = 500;

  /** Any other method is a word that the caller made up. */
  private static final Set<String> METHODS =
      Set.of("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS");

  /** The pattern of a parameter in a template, which is not part of its name. */
  private static final Pattern PATTERN = Pattern.compile(": [^{}]*}");

  private static final String SPAN = RequestSpans.class.getName();

  private static final TextMapGetter<HttpServerRequest> HEADERS =
      new TextMapGetter<>() {
        @Override
        public Iterable<String> keys(HttpServerRequest request) {
          return request.headers().names();
        }

        @Override
        public String get(HttpServerRequest request, String name) {
          return request.getHeader(name);
        }
      };

  private final Traces traces;
  private final TextMapPropagator propagator;

  RequestSpans(Traces traces, OpenTelemetry telemetry) {
    this.traces = traces;
    this.propagator = telemetry.getPropagators().getTextMapPropagator();
  }

  void register(@Observes Filters filters) {
    if (traces.areOn()) {
      filters.register(this::take, FilterPriority.SPANS);
    }
  }

  private void take(RoutingContext context) {
    // A request may be routed twice, see RequestLimits.
    if (context.get(SPAN) == null && !context.normalizedPath().startsWith("/q/")) {
      begin(context);
    }
    context.next();
  }

  private void begin(RoutingContext context) {
    var method = context.request().method().name();
    var known = METHODS.contains(method) ? method : "_OTHER";
    var span =
        traces
            .tracer()
            .spanBuilder(known)
            .setSpanKind(SpanKind.SERVER)
            .setParent(callers(context.request()))
            .setAttribute(HttpAttributes.HTTP_REQUEST_METHOD, known)
            .startSpan();
    context.put(SPAN, span);
    var local = Vertx.currentContext();
    RequestEnd.handle(
        context,
        sent -> {
          var route = PATTERN.matcher(RequestLimits.countedUnder(local)).replaceAll("}");
          span.updateName(known + " " + route);
          span.setAttribute(HttpAttributes.HTTP_ROUTE, route);
          // If the connection was closed, the response may be reported as ended as well.
          boolean ended = context.response().ended() && !StreamedBody.wasAborted(local);
          end(span, context.response(), sent.failed() || !ended);
        });
  }

  /** The span in the caller's {@code traceparent}, without its {@code tracestate}. */
  private Context callers(HttpServerRequest request) {
    var named =
        Span.fromContext(propagator.extract(Context.root(), request, HEADERS)).getSpanContext();
    return Context.root()
        .with(
            Span.wrap(
                SpanContext.createFromRemoteParent(
                    named.getTraceId(),
                    named.getSpanId(),
                    named.getTraceFlags(),
                    TraceState.getDefault())));
  }

  private static void end(Span span, HttpServerResponse response, boolean disconnected) {
    int status = response.getStatusCode();
    if (response.headWritten()) {
      span.setAttribute(HttpAttributes.HTTP_RESPONSE_STATUS_CODE, status);
    }
    if (disconnected || status >= FAULT) {
      span.setStatus(StatusCode.ERROR);
      span.setAttribute(
          ErrorAttributes.ERROR_TYPE, disconnected ? "disconnected" : Integer.toString(status));
    }
    span.end();
  }
}
