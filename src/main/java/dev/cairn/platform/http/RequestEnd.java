package dev.cairn.platform.http;

import io.netty.channel.Channel;
import io.vertx.core.AsyncResult;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Handler;
import io.vertx.core.http.impl.HttpServerRequestInternal;
import io.vertx.ext.web.RoutingContext;
import java.util.ArrayList;
import java.util.List;

/**
 * The end of a request: its answer was sent, or its connection was closed. The framework tells
 * neither of a request that has become a WebSocket, which here ends with its connection.
 */
public final class RequestEnd {
  private static final String HANDLERS = RequestEnd.class.getName();

  private RequestEnd() {}

  /**
   * Has a handler called, once, when a request ends; to be called on its event loop.
   *
   * @param handler gets a failure if the connection was closed before the end of the answer
   */
  public static void handle(RoutingContext context, Handler<AsyncResult<Void>> handler) {
    var once = new Once(handler);
    context.addEndHandler(once);
    List<Handler<AsyncResult<Void>>> all = context.get(HANDLERS);
    if (all == null) {
      all = new ArrayList<>();
      context.put(HANDLERS, all);
    }
    all.add(once);
  }

  /** Has a request that becomes a WebSocket end when its connection is closed. */
  public static void isThatOfConnection(RoutingContext context, Channel channel) {
    List<Handler<AsyncResult<Void>>> all = context.get(HANDLERS, List.of());
    Context eventLoop = ((HttpServerRequestInternal) context.request()).context();
    var _ =
        channel
            .closeFuture()
            .addListener(
                _ ->
                    eventLoop.runOnContext(
                        _ -> all.forEach(handler -> handler.handle(Future.succeededFuture()))));
  }

  private static final class Once implements Handler<AsyncResult<Void>> {
    private final Handler<AsyncResult<Void>> handler;
    private boolean isCalled;

    Once(Handler<AsyncResult<Void>> handler) {
      this.handler = handler;
    }

    @Override
    public void handle(AsyncResult<Void> result) {
      if (!isCalled) {
        isCalled = true;
        handler.handle(result);
      }
    }
  }
}
