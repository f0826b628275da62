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
 * Disconnects clients that do not read their answers, which are in memory until then: clients that
 * take too long, and earlier if there are too many unread bytes in total. The idle timeout of the
 * server cannot do that: it would also end requests that are processed for long.
 *
 * <p>Data that HTTP/2 holds back by flow control would never get here, which is one reason why the
 * service supports only HTTP/1.1; see {@code docs/limits.md}, Answers.
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
      // By then it is known whether the caller is an account.
      context.addHeadersEndHandler(_ -> counted.setOwner(bodies.owner(context)));
    }
    if (context.response().writeQueueFull()) {
      whenTaken(context);
    } else {
      context.next();
    }
  }

  /** Whether all clients have read everything that was sent. */
  public boolean haveTakenAll() {
    return unread.all() == 0;
  }

  /** Closes all connections with unread bytes. */
  public void hangUp() {
    unread.disconnectAll();
  }

  /** Delays a pipelined request until the client has read the previous answers. */
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
