package dev.cairn.access.authentication;

import dev.cairn.platform.CairnConfig;
import dev.cairn.platform.limiter.KeyedLimiter;
import io.quarkus.security.AuthenticationFailedException;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.WorkerExecutor;
import io.vertx.ext.web.RoutingContext;
import jakarta.enterprise.context.ApplicationScoped;
import java.util.concurrent.Callable;

/**
 * Threads that verify tokens: that takes the database, and so must not happen on the event loop. It
 * is a pool of its own, so that work which fills the common executor does not delay callers with
 * tokens.
 */
@ApplicationScoped
class TokenWorkers {
  /** Of the connections to the database, as a denominator. */
  private static final int SHARE = 2;

  private final WorkerExecutor threads;

  TokenWorkers(Vertx vertx, CairnConfig config) {
    int connections = KeyedLimiter.part(config, SHARE);
    this.threads = vertx.createSharedWorkerExecutor("tokens", connections);
  }

  /**
   * Does work for a request on one of the threads, unless its client has gone before; the result
   * comes on the event loop.
   */
  <T> Future<T> execute(RoutingContext request, Callable<T> work) {
    return threads.executeBlocking(
        () -> {
          if (request.response().closed()) {
            throw new AuthenticationFailedException();
          }
          return work.call();
        },
        false);
  }
}
