package dev.cairn.platform.operation;

import io.micrometer.prometheus.PrometheusMeterRegistry;
import io.netty.buffer.Unpooled;
import io.vertx.core.AsyncResult;
import io.vertx.core.Future;
import io.vertx.core.Promise;
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
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * Answers scrapes of the metrics. Reading all meters takes milliseconds of a thread, and the path
 * needs no credentials, so readings run one at a time, at most ten times a second in each format.
 * All scrapes that come before a reading begins get its bytes. See {@code docs/monitoring.md},
 * Metrics.
 */
@Singleton
@SuppressWarnings("deprecation") // The registry that the extension has.
class Scrapes {
  /** Before the route of the extension, after {@link ManagementRequests}. */
  private static final int ORDER = -5;

  private static final String TEXT = "text/plain; version=0.0.4; charset=utf-8";
  private static final String OPEN_METRICS =
      "application/openmetrics-text; version=1.0.0; charset=utf-8";

  private final Instance<PrometheusMeterRegistry> registry;
  private final Vertx vertx;
  private final Map<String, Readings> readings =
      Map.of(TEXT, new Readings(TEXT), OPEN_METRICS, new Readings(OPEN_METRICS));

  /** The readings in one format, one after another. */
  private final class Readings {
    private static final long INTERVAL_MILLIS = 100;

    private final String format;

    /** Of the reading that has not begun; null if nobody waits for one. */
    private Promise<Buffer> next;

    private boolean isReading;
    private long begunNanos = System.nanoTime() - TimeUnit.MILLISECONDS.toNanos(INTERVAL_MILLIS);

    Readings(String format) {
      this.format = format;
    }

    synchronized Future<Buffer> nextReading() {
      if (next == null) {
        next = Promise.promise();
        if (!isReading) {
          schedule();
        }
      }
      return next.future();
    }

    private void schedule() {
      isReading = true;
      long passed = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - begunNanos);
      vertx.setTimer(Math.max(1, INTERVAL_MILLIS - passed), _ -> begin());
    }

    private synchronized void begin() {
      var promise = next;
      next = null;
      begunNanos = System.nanoTime();
      Future.succeededFuture()
          .compose(_ -> vertx.executeBlocking(() -> shared(registry.get().scrape(format)), false))
          .onComplete(promise)
          .onComplete(_ -> end());
    }

    private synchronized void end() {
      isReading = false;
      if (next != null) {
        schedule();
      }
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
    // It may be read for a request on another event loop.
    var eventLoop = vertx.getOrCreateContext();
    readings
        .get(format)
        .nextReading()
        .onComplete(text -> eventLoop.runOnContext(_ -> end(context, format, text)));
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

  /** Sent by several answers. */
  private static Buffer shared(String text) {
    var bytes = text.getBytes(StandardCharsets.UTF_8);
    return BufferImpl.buffer(Unpooled.unreleasableBuffer(Unpooled.wrappedBuffer(bytes)));
  }
}
