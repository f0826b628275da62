package dev.cairn.live;

import static dev.cairn.access.Permission.REPO_READ;

import dev.cairn.access.Authorizer;
import dev.cairn.access.CurrentCaller;
import dev.cairn.access.RepositoryPath;
import dev.cairn.access.token.LiveTickets;
import dev.cairn.platform.http.QueryParameters;
import io.smallrye.common.annotation.RunOnVirtualThread;
import jakarta.ws.rs.BeanParam;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.HttpHeaders;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import jakarta.ws.rs.core.UriInfo;

/** Tickets for live updates; the rules are in {@code docs/live.md}, Tickets. */
@Path("/api/repos/{org}/{repo}")
@RunOnVirtualThread
@Produces(MediaType.APPLICATION_JSON)
public class TicketResource {
  private final CurrentCaller caller;
  private final Authorizer authorizer;
  private final LiveTickets tickets;

  TicketResource(CurrentCaller caller, Authorizer authorizer, LiveTickets tickets) {
    this.caller = caller;
    this.authorizer = authorizer;
    this.tickets = tickets;
  }

  /** Issues a ticket for live updates of a repository. */
  @POST
  @Path("live/tickets")
  public Response issue(@BeanParam RepositoryPath path, @Context UriInfo uri) {
    var access = authorizer.repository(caller.get(), path.org(), path.repo(), REPO_READ);
    QueryParameters.none(uri);
    return Response.status(Response.Status.CREATED)
        .header(HttpHeaders.CACHE_CONTROL, "no-store")
        .entity(tickets.issue(access))
        .build();
  }
}
