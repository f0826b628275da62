package dev.cairn.platform.memory;

import dev.cairn.model.Problem;
import io.vertx.ext.web.RoutingContext;

/** Called before the bytes of a body are used that arrived well after the head of its request. */
public interface LateArrival {
  /**
   * Judges the request by the rights of its caller at this moment. Called on a virtual thread.
   *
   * @throws Problem if the request would be refused if it were sent now
   */
  void check(RoutingContext context);
}
