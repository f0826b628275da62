package dev.cairn.sprite;

import io.smallrye.mutiny.Uni;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.DELETE;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.HeaderParam;
import jakarta.ws.rs.PUT;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.QueryParam;
import jakarta.ws.rs.core.MediaType;
import java.io.InputStream;
import org.eclipse.microprofile.rest.client.inject.RegisterRestClient;
import org.jboss.resteasy.reactive.RestResponse;

/**
 * A service that runs commands; its contract is in {@code docs/sprites.md}, The http backend. The
 * answers with a body are a {@link SpriteServiceState}; {@link Calls} reads them.
 */
@RegisterRestClient(configKey = "sprite-service")
@Produces(MediaType.APPLICATION_JSON)
interface SpriteService {
  /** Begins a run, unless it has already begun. */
  @PUT
  @Path("/runs/{id}")
  @Consumes(MediaType.APPLICATION_JSON)
  Uni<RestResponse<InputStream>> begin(
      @HeaderParam("Authorization") String authorization,
      @PathParam("id") String id,
      SpriteServiceRun run);

  /** The state of a run. The answer comes when the run has ended, or after {@code seconds}. */
  @GET
  @Path("/runs/{id}")
  Uni<RestResponse<InputStream>> state(
      @HeaderParam("Authorization") String authorization,
      @PathParam("id") String id,
      @QueryParam("wait") long seconds);

  /** Stops a run. */
  @DELETE
  @Path("/runs/{id}")
  Uni<RestResponse<InputStream>> stop(
      @HeaderParam("Authorization") String authorization, @PathParam("id") String id);
}
