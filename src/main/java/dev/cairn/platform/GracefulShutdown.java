package dev.cairn.platform;

import dev.cairn.model.ErrorCode;
import dev.cairn.model.Problem;
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
 * Sees to it that the end of the service cuts no request off. Quarkus waits for a moment without
 * requests and closes the port only behind it, where what has come in between is cut off, and
 * before anybody is told by a {@code ShutdownEvent}. So the end is made here, while Quarkus has not
 * begun: requests are served, then refused, and those that were not refused are waited for. {@code
 * docs/operation.md}, Stop.
 */
@Singleton
class GracefulShutdown {
  private static final Logger LOG = Logger.getLogger(GracefulShutdown.class);

  /** Before anything that works on a request. */
  private static final int FIRST = 1_200;

  /** Of the time to stop, in which requests are served that come while others are under way. */
  private static final int PART_THAT_SERVES = 3;

  private static final Duration BETWEEN_LOOKS = Duration.ofMillis(5);

  private final Vertx vertx;
  private final SlowReaders readers;
  private final Duration delay;
  private final Duration most;
  private final Set<RoutingContext> underWay = ConcurrentHashMap.newKeySet();
  private volatile boolean ends;
  private volatile boolean refuses;

  GracefulShutdown(
      Vertx vertx,
      SlowReaders readers,
      CairnConfig config,
      @ConfigProperty(name = "quarkus.shutdown.timeout") Duration most,
      @ConfigProperty(name = "quarkus.shutdown.delay") Optional<Duration> delayBehind) {
    if (delayBehind.isPresent()) {
      throw new IllegalStateException(
          "quarkus.shutdown.delay (QUARKUS_SHUTDOWN_DELAY) would delay the end when all requests are"
              + " refused already; use cairn.stop.delay (CAIRN_STOP_DELAY).");
    }
    this.vertx = vertx;
    this.readers = readers;
    this.delay = config.stop().delay();
    this.most = most;
  }

  void register(@Observes Filters filters) {
    filters.register(this::take, FIRST);
  }

  private void take(RoutingContext context) {
    // Requests that end before anything judges them are counted under no path of their own.
    RequestLimits.countUnder(RequestLimits.UNMATCHED);
    // Before it is known whether it is refused, so that whoever sees none under way sees them all.
    underWay.add(context);
    context.addEndHandler(_ -> underWay.remove(context));
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

  /** Behind what takes no more work from now on, since it returns when the last request is over. */
  void end(
      @Observes @Priority(Interceptor.Priority.APPLICATION + 1_000)
          ShutdownDelayInitiatedEvent event)
      throws InterruptedException {
    Thread.sleep(delay);
    ends = true;
    long since = System.nanoTime();
    await(underWay::isEmpty, since, most.dividedBy(PART_THAT_SERVES));
    refuses = true;
    if (!await(underWay::isEmpty, since, most) || !areAnswersTaken(since)) {
      LOG.warnf("what has not ended within %s is cut off, %d requests", most, underWay.size());
      readers.hangUp();
      underWay.forEach(context -> context.request().connection().close());
    }
  }

  /** An answer that was given is not with its client yet: the event loops write it, in turn. */
  private boolean areAnswersTaken(long since) throws InterruptedException {
    for (var loop : ((VertxInternal) vertx).getEventLoopGroup()) {
      var _ = loop.submit(() -> {}).await(most.toMillis());
    }
    return await(readers::haveTakenAll, since, most);
  }

  private static boolean await(BooleanSupplier condition, long since, Duration most)
      throws InterruptedException {
    while (!condition.getAsBoolean()) {
      if (System.nanoTime() - since > most.toNanos()) {
        return false;
      }
      Thread.sleep(BETWEEN_LOOKS);
    }
    return true;
  }
}
