package dev.cairn.platform.http;

import io.vertx.core.http.HttpServerRequest;
import jakarta.ws.rs.HttpMethod;
import jakarta.ws.rs.NotFoundException;
import jakarta.ws.rs.core.HttpHeaders;
import jakarta.ws.rs.core.Response;
import org.jboss.resteasy.reactive.server.ServerRequestFilter;

/**
 * Answers {@code OPTIONS} with the methods of its path, or with 404 if the path does not exist, as
 * for other methods. The framework answers 200 for any path that begins like one of its own.
 */
class OptionsRequests {
  /** The answer to {@code OPTIONS}; nothing for other methods. */
  @ServerRequestFilter(preMatching = true)
  Response answer(HttpServerRequest request) {
    if (!request.method().name().equals(HttpMethod.OPTIONS)) {
      return null;
    }
    var methods = AllowedMethods.ofCurrentPath();
    if (methods.equals(HttpMethod.OPTIONS)) {
      throw new NotFoundException();
    }
    return Response.ok().header(HttpHeaders.ALLOW, methods).build();
  }
}
