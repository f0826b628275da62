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
 * Threads that verify tokens, which takes the database and so must not happen on the event loop.
 * They are no others' threads: what fills the common executor, such as scrapes of the metrics,
 * would delay every caller with a token.
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
