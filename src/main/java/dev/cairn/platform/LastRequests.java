package dev.cairn.platform;

import dev.cairn.model.ErrorCode;
import dev.cairn.model.Problem;
import io.quarkus.runtime.ShutdownEvent;
import io.quarkus.vertx.http.runtime.filters.Filters;
import io.vertx.ext.web.RoutingContext;
import jakarta.annotation.Priority;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;
import jakarta.interceptor.Interceptor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Sees to it that the end of the service cuts no request off. Quarkus waits until none is under
 * way, and then takes its time to close the server, which goes on taking requests: these are
 * refused here, and those that came just before are waited for. {@code docs/operation.md}, Stop.
 */
@Singleton
class LastRequests {
  /** Before anything that works on a request. */
  private static final int FIRST = 1_200;

  /** Behind what carries runs out, and before what requests need is closed. */
  private static final int BEHIND_WORKERS = Interceptor.Priority.APPLICATION + 1_000;

  /** Most requests have had the whole time-out before; these came in the moments behind it. */
  private static final long MOST_NANOS = TimeUnit.SECONDS.toNanos(2);

  private final AtomicInteger underWay = new AtomicInteger();
  private volatile boolean over;

  void register(@Observes Filters filters) {
    filters.register(this::take, FIRST);
  }

  private void take(RoutingContext context) {
    // Counted first, so that whoever waits for none sees each one that was not refused.
    underWay.incrementAndGet();
    context.addEndHandler(_ -> underWay.decrementAndGet());
    if (over) {
      var response =
          context.response().putHeader("Retry-After", "1").putHeader("Connection", "close");
      ProblemDocument.end(response, Problem.of(ErrorCode.UNAVAILABLE, "This replica stops."));
    } else {
      context.next();
    }
  }

  void end(@Observes @Priority(BEHIND_WORKERS) ShutdownEvent event) throws InterruptedException {
    over = true;
    long end = System.nanoTime() + MOST_NANOS;
    while (underWay.get() > 0 && System.nanoTime() < end) {
      Thread.sleep(5);
    }
  }
}
