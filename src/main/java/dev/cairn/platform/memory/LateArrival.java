package dev.cairn.platform.memory;

import dev.cairn.model.Problem;
import io.vertx.ext.web.RoutingContext;

/** Called before the use of a body that arrived well after the head of its request. */
public interface LateArrival {
  /**
   * Checks the request against the present rights of its caller. Called on a virtual thread.
   *
   * @throws Problem if the request would be refused if it were sent now
   */
  void check(RoutingContext context);
}
