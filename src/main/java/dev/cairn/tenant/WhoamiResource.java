package dev.cairn.tenant;

import dev.cairn.access.CurrentCaller;
import dev.cairn.platform.http.QueryParameters;
import io.smallrye.common.annotation.RunOnVirtualThread;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.UriInfo;

/** Who calls; {@code docs/access.md}. */
@Path("/api/whoami")
@RunOnVirtualThread
@Produces(MediaType.APPLICATION_JSON)
public class WhoamiResource {
  private final CurrentCaller caller;
  private final Whoami whoami;

  WhoamiResource(CurrentCaller caller, Whoami whoami) {
    this.caller = caller;
    this.whoami = whoami;
  }

  /** Who calls. */
  @GET
  public Whoami.Answer get(@Context UriInfo uri) {
    QueryParameters.none(uri);
    return whoami.of(caller.get());
  }
}
