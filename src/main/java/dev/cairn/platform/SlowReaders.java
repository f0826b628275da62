package dev.cairn.platform;

import io.netty.handler.timeout.WriteTimeoutHandler;
import io.quarkus.vertx.http.runtime.filters.Filters;
import io.vertx.core.net.impl.ConnectionBase;
import io.vertx.ext.web.RoutingContext;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Singleton;

/**
 * Hangs up on clients that do not take what was sent to them, since it is in memory until they do.
 * The server's idle time-out cannot do that: it would also end requests that are worked on for
 * long.
 */
@Singleton
class SlowReaders {
  private static final String NAME = "cairn-slow-readers";
  private static final int BEFORE_LIMITS = 1_100;

  private final int seconds;

  SlowReaders(CairnConfig config) {
    this.seconds = config.limits().unreadAnswerSeconds();
  }

  void register(@Observes Filters filters) {
    filters.register(this::watch, BEFORE_LIMITS);
  }

  private void watch(RoutingContext context) {
    if (context.request().connection() instanceof ConnectionBase connection) {
      var pipeline = connection.channel().pipeline();
      if (pipeline.get(NAME) == null) {
        pipeline.addFirst(NAME, new WriteTimeoutHandler(seconds));
      }
    }
    context.next();
  }
}
