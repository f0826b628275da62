package dev.cairn.access.authentication;

import dev.cairn.platform.CairnConfig;
import dev.cairn.platform.http.ClientAddress;
import dev.cairn.platform.http.NetworkAddress;
import dev.cairn.platform.limiter.FairQueue;
import dev.cairn.platform.limiter.KeyedLimiter;
import io.quarkus.security.AuthenticationFailedException;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.WorkerExecutor;
import io.vertx.ext.web.RoutingContext;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.ws.rs.core.HttpHeaders;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.Stream;

/**
 * Threads that verify tokens: that takes the database, and so must not happen on the event loop. It
 * is a pool of its own, so that work which fills the common executor does not delay callers with
 * tokens. Networks take turns, and in each network its addresses and then its tokens, so that many
 * requests from one do not delay the others.
 */
@ApplicationScoped
class TokenWorkers {
  /** The denominator of the part of the connections to the database. */
  private static final int POOL_FRACTION = 2;

  private final ClientAddress addresses;
  private final Vertx vertx;
  private final WorkerExecutor threads;
  private final FairQueue<Runnable> waiting = new FairQueue<>();

  TokenWorkers(ClientAddress addresses, Vertx vertx, CairnConfig config) {
    this.addresses = addresses;
    this.vertx = vertx;
    this.threads = vertx.createSharedWorkerExecutor("tokens", threads(config));
  }

  /** How many threads there are. */
  static int threads(CairnConfig config) {
    return KeyedLimiter.part(config, POOL_FRACTION);
  }

  /**
   * Does work for a request on one of the threads, unless its client has gone before; the result
   * comes on the event loop.
   */
  <T> Future<T> execute(RoutingContext request, Callable<T> work) {
    var context = vertx.getOrCreateContext();
    var result = Promise.<T>promise();
    waiting.add(
        levels(request),
        () -> {
          var done = done(request, work);
          context.runOnContext(_ -> done.onComplete(result));
        });
    // It may be another's turn, whose own task then does this work.
    threads.executeBlocking(
        () -> {
          waiting.poll().run();
          return null;
        },
        false);
    return result.future();
  }

  private static <T> Future<T> done(RoutingContext request, Callable<T> work) {
    try {
      return request.response().closed()
          ? Future.failedFuture(new AuthenticationFailedException())
          : Future.succeededFuture(work.call());
    } catch (Exception e) {
      return Future.failedFuture(e);
    }
  }

  private List<String> levels(RoutingContext request) {
    return Stream.concat(
            NetworkAddress.networks(addresses.of(request.request())).stream(),
            Stream.of(request.request().getHeader(HttpHeaders.AUTHORIZATION)))
        .toList();
  }
}
