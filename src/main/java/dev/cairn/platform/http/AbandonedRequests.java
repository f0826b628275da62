package dev.cairn.platform.http;

import io.quarkus.vertx.http.runtime.CurrentVertxRequest;
import org.jboss.resteasy.reactive.server.ServerRequestFilter;

/**
 * Keeps the framework from skipping the rest of a request whose connection is closed. It would do
 * so on another thread than the one that works on the request. If that one fails at the same
 * moment, since the body has ended, the request is begun again without end, on all of a processor
 * (Quarkus issue 55116, not solved in the version that is used). What waits or takes long asks by
 * itself whether its client is there, see {@code platform.memory.WaitingRequests}.
 */
public class AbandonedRequests {
  private final CurrentVertxRequest request;

  AbandonedRequests(CurrentVertxRequest request) {
    this.request = request;
  }

  /** Removes the framework's handler, before anything of the request can fail. */
  @ServerRequestFilter(priority = Integer.MIN_VALUE)
  public void keepFromSkipping() {
    request.getCurrent().response().closeHandler(null);
  }
}
