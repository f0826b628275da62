package dev.cairn.platform.memory;

import io.quarkus.vertx.http.runtime.CurrentVertxRequest;
import jakarta.ws.rs.container.ContainerRequestContext;
import org.jboss.resteasy.reactive.server.ServerRequestFilter;

/** Makes every resource read its body through {@link ArrivingBodies}. */
public class BodyFilter {
  private final ArrivingBodies bodies;
  private final BodyRoom room;
  private final Decompression decompression;
  private final CurrentVertxRequest request;

  BodyFilter(
      ArrivingBodies bodies,
      BodyRoom room,
      Decompression decompression,
      CurrentVertxRequest request) {
    this.bodies = bodies;
    this.room = room;
    this.decompression = decompression;
    this.request = request;
  }

  /** Replaces the body of a request by one that is read on demand. */
  @ServerRequestFilter
  public void filter(ContainerRequestContext context) {
    context.setEntityStream(new BodyStream(bodies, room, decompression, request.getCurrent()));
  }
}
