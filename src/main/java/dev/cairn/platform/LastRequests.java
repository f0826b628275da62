package dev.cairn.platform;

import dev.cairn.model.ErrorCode;
import dev.cairn.model.Problem;
import io.quarkus.runtime.ShutdownDelayInitiatedEvent;
import io.quarkus.runtime.ShutdownEvent;
import io.quarkus.vertx.http.runtime.filters.Filters;
import io.vertx.ext.web.RoutingContext;
import jakarta.annotation.Priority;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;
import jakarta.interceptor.Interceptor;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.eclipse.microprofile.config.inject.ConfigProperty;

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

  /** For those that came in the moments behind a drain that has used up all of its time. */
  private static final long LEAST_NANOS = TimeUnit.SECONDS.toNanos(2);

  private final long mostNanos;
  private final AtomicInteger underWay = new AtomicInteger();
  private volatile boolean over;

  /** When the end began, by {@link System#nanoTime}. */
  private volatile long since = System.nanoTime();

  LastRequests(@ConfigProperty(name = "quarkus.shutdown.timeout") Duration most) {
    this.mostNanos = most.toNanos();
  }

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

  void begin(@Observes ShutdownDelayInitiatedEvent event) {
    since = System.nanoTime();
  }

  void end(@Observes @Priority(BEHIND_WORKERS) ShutdownEvent event) throws InterruptedException {
    over = true;
    long now = System.nanoTime();
    long end = now + Math.max(since + mostNanos - now, LEAST_NANOS);
    while (underWay.get() > 0 && System.nanoTime() - end < 0) {
      Thread.sleep(5);
    }
  }
}
