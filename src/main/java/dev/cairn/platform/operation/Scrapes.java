package dev.cairn.platform.operation;

import io.micrometer.prometheus.PrometheusMeterRegistry;
import io.netty.buffer.Unpooled;
import io.vertx.core.AsyncResult;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.buffer.impl.BufferImpl;
import io.vertx.core.http.HttpMethod;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import jakarta.enterprise.event.Observes;
import jakarta.enterprise.inject.Instance;
import jakarta.inject.Singleton;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Answers scrapes of the metrics. Reading all meters takes milliseconds of a thread, and anybody
 * who reaches the path may ask, so it happens once at a time and at most once a second for each
 * format; all who ask meanwhile get the same bytes. See {@code docs/monitoring.md}, Metrics.
 */
@Singleton
@SuppressWarnings("deprecation") // The registry that the extension has.
class Scrapes {
  /** Before the route of the extension, after {@link ManagementRequests}. */
  private static final int ORDER = -5;

  private static final long MAX_AGE_NANOS = Duration.ofSeconds(1).toNanos();

  private static final String TEXT = "text/plain; version=0.0.4; charset=utf-8";
  private static final String OPEN_METRICS =
      "application/openmetrics-text; version=1.0.0; charset=utf-8";

  private final Instance<PrometheusMeterRegistry> registry;
  private final Vertx vertx;
  private final Map<String, Scrape> newest = new ConcurrentHashMap<>();

  /**
   * What was read, or is being read.
   *
   * @param begunNanos by {@link System#nanoTime}
   */
  private record Scrape(Future<Buffer> text, long begunNanos) {
    boolean isUsable() {
      return !text.isComplete()
          || (text.succeeded() && System.nanoTime() - begunNanos < MAX_AGE_NANOS);
    }
  }

  Scrapes(Instance<PrometheusMeterRegistry> registry, Vertx vertx) {
    this.registry = registry;
    this.vertx = vertx;
  }

  void register(@Observes Router router) {
    router
        .route("/q/metrics")
        .method(HttpMethod.GET)
        .method(HttpMethod.HEAD)
        .order(ORDER)
        .handler(this::answer);
  }

  private void answer(RoutingContext context) {
    var accept = context.request().getHeader("Accept");
    var format =
        accept != null && (accept.contains("text/plain") || accept.contains("text/html"))
            ? TEXT
            : OPEN_METRICS;
    var scrape =
        newest.compute(format, (_, last) -> last != null && last.isUsable() ? last : read(format));
    // It may have been read for a request on another event loop.
    var eventLoop = vertx.getOrCreateContext();
    scrape.text().onComplete(text -> eventLoop.runOnContext(_ -> end(context, format, text)));
  }

  private static void end(RoutingContext context, String format, AsyncResult<Buffer> text) {
    if (text.failed()) {
      context.fail(text.cause());
      return;
    }
    context
        .response()
        .putHeader("Content-Type", format)
        .end(text.result())
        .onFailure(context::fail);
  }

  private Scrape read(String format) {
    return new Scrape(
        vertx.executeBlocking(() -> shared(registry.get().scrape(format)), false),
        System.nanoTime());
  }

  /** Sent by several answers. */
  private static Buffer shared(String text) {
    var bytes = text.getBytes(StandardCharsets.UTF_8);
    return BufferImpl.buffer(Unpooled.unreleasableBuffer(Unpooled.wrappedBuffer(bytes)));
  }
}
