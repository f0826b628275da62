package dev.cairn.oauth;

import dev.cairn.access.authentication.ExternalIssuer;
import jakarta.ws.rs.NotFoundException;
import jakarta.ws.rs.container.ContainerResponseContext;
import jakarta.ws.rs.core.HttpHeaders;
import org.jboss.resteasy.reactive.server.ServerRequestFilter;
import org.jboss.resteasy.reactive.server.ServerResponseFilter;

/** Implements {@link BuiltIn}. */
public class BuiltInFilter {
  private final ExternalIssuer external;

  BuiltInFilter(ExternalIssuer external) {
    this.external = external;
  }

  /** Refuses the path if there is an external issuer. */
  @BuiltIn
  @ServerRequestFilter
  public void onlyHere() {
    if (external.url().isPresent()) {
      throw new NotFoundException();
    }
  }

  /** Keeps codes, tokens and forms out of caches. */
  @BuiltIn
  @ServerResponseFilter
  public void notKept(ContainerResponseContext response) {
    response.getHeaders().putSingle(HttpHeaders.CACHE_CONTROL, "no-store");
  }
}
