package dev.cairn.oauth;

import dev.cairn.access.authentication.ExternalIssuer;
import jakarta.ws.rs.NotFoundException;
import jakarta.ws.rs.container.ContainerResponseContext;
import jakarta.ws.rs.core.HttpHeaders;
import org.jboss.resteasy.reactive.server.ServerRequestFilter;
import org.jboss.resteasy.reactive.server.ServerResponseFilter;

/** What {@link BuiltIn} means. */
public class BuiltInFilter {
  private final ExternalIssuer external;

  BuiltInFilter(ExternalIssuer external) {
    this.external = external;
  }

  /** With another issuer the path does not exist. */
  @BuiltIn
  @ServerRequestFilter
  public void onlyHere() {
    if (external.url().isPresent()) {
      throw new NotFoundException();
    }
  }

  /** Codes, tokens and forms stay in no cache. */
  @BuiltIn
  @ServerResponseFilter
  public void notKept(ContainerResponseContext response) {
    response.getHeaders().putSingle(HttpHeaders.CACHE_CONTROL, "no-store");
  }
}
