package dev.cairn.platform.operation;

import dev.cairn.model.ErrorCode;
import dev.cairn.model.Problem;
import dev.cairn.platform.CairnConfig;
import dev.cairn.platform.http.FilterPriority;
import dev.cairn.platform.http.ProblemDocument;
import dev.cairn.platform.http.RequestEnd;
import dev.cairn.platform.http.RequestLimits;
import dev.cairn.platform.memory.SlowReaders;
import io.quarkus.runtime.ShutdownDelayInitiatedEvent;
import io.quarkus.vertx.http.runtime.filters.Filters;
import io.vertx.core.Vertx;
import io.vertx.core.impl.VertxInternal;
import io.vertx.ext.web.RoutingContext;
import jakarta.annotation.Priority;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;
import jakarta.interceptor.Interceptor;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BooleanSupplier;
import org.eclipse.microprofile.config.inject.ConfigProperty;
import org.jboss.logging.Logger;

/**
 * The graceful shutdown: no request is cut off. Quarkus waits until no request is in progress and
 * then closes the port, which cuts off requests that arrive in between, and it does so before it
 * fires a {@code ShutdownEvent}. So the shutdown is done here, before that of Quarkus begins: for a
 * while requests are served, then they are refused, and all accepted requests are completed. {@code
 * docs/operation.md}, Stop.
 */
@Singleton
class GracefulShutdown {
  private static final Logger LOG = Logger.getLogger(GracefulShutdown.class);

  /** The part of the shutdown time in which new requests are served, as its denominator. */
  private static final int SERVING_FRACTION = 3;

  private static final Duration POLL_INTERVAL = Duration.ofMillis(5);

  private final Vertx vertx;
  private final SlowReaders readers;
  private final Duration delay;
  private final Duration timeout;
  private final Set<RoutingContext> underWay = ConcurrentHashMap.newKeySet();
  private volatile boolean ends;
  private volatile boolean refuses;

  GracefulShutdown(
      Vertx vertx,
      SlowReaders readers,
      CairnConfig config,
      @ConfigProperty(name = "quarkus.shutdown.timeout") Optional<Duration> timeoutBehind,
      @ConfigProperty(name = "quarkus.shutdown.delay") Optional<Duration> delayBehind) {
    if (timeoutBehind.isPresent()) {
      throw new IllegalStateException(
          "quarkus.shutdown.timeout (QUARKUS_SHUTDOWN_TIMEOUT) would have the end wait for WebSockets"
              + " that are closed already; use cairn.stop.timeout (CAIRN_STOP_TIMEOUT).");
    }
    if (delayBehind.isPresent()) {
      throw new IllegalStateException(
          "quarkus.shutdown.delay (QUARKUS_SHUTDOWN_DELAY) would delay the end when all requests"
              + " are refused already; use cairn.stop.delay (CAIRN_STOP_DELAY).");
    }
    this.vertx = vertx;
    this.readers = readers;
    this.delay = config.stop().delay();
    this.timeout = config.stop().timeout();
  }

  void register(@Observes Filters filters) {
    filters.register(this::take, FilterPriority.GRACEFUL_SHUTDOWN);
  }

  private void take(RoutingContext context) {
    // Requests that end before they are checked are not counted under their own path.
    RequestLimits.countUnder(RequestLimits.UNMATCHED);
    // Added before it is known whether it is refused, so that an empty set means that none is left.
    underWay.add(context);
    RequestEnd.handle(context, _ -> underWay.remove(context));
    if (ends) {
      context.response().putHeader("Connection", "close");
    }
    if (refuses) {
      underWay.remove(context);
      var response = context.response().putHeader("Retry-After", "1");
      ProblemDocument.end(response, Problem.of(ErrorCode.UNAVAILABLE, "This replica stops."));
    } else {
      context.next();
    }
  }

  /** Runs after observers that stop taking work, and returns when the last request has ended. */
  void end(
      @Observes @Priority(Interceptor.Priority.APPLICATION + 1_000)
          ShutdownDelayInitiatedEvent event)
      throws InterruptedException {
    Thread.sleep(delay);
    ends = true;
    long since = System.nanoTime();
    await(underWay::isEmpty, since, timeout.dividedBy(SERVING_FRACTION));
    refuses = true;
    if (!await(underWay::isEmpty, since, timeout) || !areAnswersTaken(since)) {
      LOG.warnf("what has not ended within %s is cut off, %d requests", timeout, underWay.size());
      readers.hangUp();
      underWay.forEach(context -> context.request().connection().close());
    }
  }

  /** Whether clients have read their answers, which the event loops still write after a request. */
  private boolean areAnswersTaken(long since) throws InterruptedException {
    for (var loop : ((VertxInternal) vertx).getEventLoopGroup()) {
      var _ = loop.submit(() -> {}).await(timeout.toMillis());
    }
    return await(readers::haveTakenAll, since, timeout);
  }

  private static boolean await(BooleanSupplier condition, long since, Duration timeout)
      throws InterruptedException {
    while (!condition.getAsBoolean()) {
      if (System.nanoTime() - since > timeout.toNanos()) {
        return false;
      }
      Thread.sleep(POLL_INTERVAL);
    }
    return true;
  }
}
