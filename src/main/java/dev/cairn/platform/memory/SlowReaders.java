package dev.cairn.platform.memory;

import dev.cairn.platform.CairnConfig;
import dev.cairn.platform.http.FilterPriority;
import io.netty.handler.timeout.WriteTimeoutHandler;
import io.quarkus.vertx.http.runtime.filters.Filters;
import io.vertx.core.net.impl.ConnectionBase;
import io.vertx.ext.web.RoutingContext;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;

/**
 * Disconnects clients that do not take what was sent to them, since it is in memory until they do:
 * those that take too long, and sooner if all of them together leave too much. The server's idle
 * time-out cannot do that: it would also end requests that are worked on for long.
 *
 * <p>What HTTP/2 holds back until a client wants it would never get here, which is one reason why
 * the service speaks HTTP/1.1 alone; see {@code docs/limits.md}, Answers.
 */
@Singleton
public class SlowReaders {
  private static final String NAME = "cairn-slow-readers";

  private final int seconds;
  private final ArrivingBodies bodies;
  private final UnreadBytes unread = new UnreadBytes(HeapShare.UNREAD.bytes(), System::nanoTime);

  SlowReaders(CairnConfig config, ArrivingBodies bodies) {
    this.bodies = bodies;
    this.seconds = config.limits().unreadAnswerSeconds();
  }

  void register(@Observes Filters filters) {
    filters.register(this::watch, FilterPriority.SLOW_READERS);
  }

  private void watch(RoutingContext context) {
    if (context.request().connection() instanceof ConnectionBase connection) {
      var pipeline = connection.channel().pipeline();
      if (pipeline.get(NAME) == null) {
        pipeline.addFirst(unread.ofConnection(bodies.owner(context)));
        pipeline.addFirst(NAME, new WriteTimeoutHandler(seconds));
      }
      var counted = pipeline.get(UnreadBytes.OfConnection.class);
      // By then it is known whether an account asks.
      context.addHeadersEndHandler(_ -> counted.setOwner(bodies.owner(context)));
    }
    if (context.response().writeQueueFull()) {
      whenTaken(context);
    } else {
      context.next();
    }
  }

  /** Whether nothing waits for any client. */
  public boolean haveTakenAll() {
    return unread.all() == 0;
  }

  /** Hangs up on all for whom something waits. */
  public void hangUp() {
    unread.disconnectAll();
  }

  /** A client that sends requests ahead gets no answer made before it took the former ones. */
  private static void whenTaken(RoutingContext context) {
    context.request().pause();
    context
        .response()
        .drainHandler(
            _ -> {
              context.response().drainHandler(null);
              context.request().resume();
              context.next();
            });
  }
}
