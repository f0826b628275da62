package dev.cairn.sprite;

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
import org.eclipse.microprofile.rest.client.inject.RegisterRestClient;

/** A service that runs commands; its contract is in {@code docs/sprites.md}, The http backend. */
@RegisterRestClient(configKey = "sprite-service")
@Produces(MediaType.APPLICATION_JSON)
interface SpriteService {
  /** Begins a run, unless it has begun. */
  @PUT
  @Path("/runs/{id}")
  @Consumes(MediaType.APPLICATION_JSON)
  SpriteServiceState begin(
      @HeaderParam("Authorization") String authorization,
      @PathParam("id") String id,
      SpriteServiceRun run);

  /** The state of a run: answered when it has ended, or after {@code seconds}. */
  @GET
  @Path("/runs/{id}")
  SpriteServiceState state(
      @HeaderParam("Authorization") String authorization,
      @PathParam("id") String id,
      @QueryParam("wait") int seconds);

  /** Stops a run. */
  @DELETE
  @Path("/runs/{id}")
  void stop(@HeaderParam("Authorization") String authorization, @PathParam("id") String id);
}
