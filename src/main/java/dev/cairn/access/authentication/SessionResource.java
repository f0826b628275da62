package dev.cairn.access.authentication;

import static dev.cairn.platform.page.Page.CURSOR;
import static dev.cairn.platform.page.Page.LIMIT;

import dev.cairn.access.CurrentCaller;
import dev.cairn.access.session.Sessions;
import dev.cairn.model.Problem;
import dev.cairn.platform.http.QueryParameters;
import dev.cairn.platform.page.Page;
import io.smallrye.common.annotation.RunOnVirtualThread;
import jakarta.ws.rs.DELETE;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.UriInfo;
import java.util.Map;
import java.util.Set;
import java.util.UUID;

/** Lists and ends the sessions of the caller's account; {@code docs/access.md}, Sessions. */
@Path("/api/sessions")
@RunOnVirtualThread
@Produces(MediaType.APPLICATION_JSON)
public class SessionResource {
  private final CurrentCaller caller;
  private final Sessions sessions;
  private final ExternalIssuer issuer;

  SessionResource(CurrentCaller caller, Sessions sessions, ExternalIssuer issuer) {
    this.caller = caller;
    this.sessions = sessions;
    this.issuer = issuer;
  }

  /** The live sessions, newest first. */
  @GET
  public Page<Sessions.SessionView> list(@Context UriInfo uri) {
    issuer.refuseBuiltIn();
    var account = caller.session();
    var parameters = QueryParameters.of(uri, Set.of(LIMIT, CURSOR));
    return sessions.list(account, Page.limit(parameters), parameters.text(CURSOR));
  }

  /** Ends all sessions except the caller's own. */
  @DELETE
  public Map<String, Object> endOthers(@Context UriInfo uri) {
    issuer.refuseBuiltIn();
    var account = caller.session();
    QueryParameters.none(uri);
    return Map.of("ok", true, "ended", sessions.endOthers(account));
  }

  /** Ends a session; its tokens stop working with the next request. */
  @DELETE
  @Path("{id}")
  public Map<String, Boolean> end(@PathParam("id") String id, @Context UriInfo uri) {
    issuer.refuseBuiltIn();
    var account = caller.session();
    QueryParameters.none(uri);
    sessions.endOwn(account, id(id));
    return Map.of("ok", true);
  }

  private static UUID id(String text) {
    try {
      return UUID.fromString(text);
    } catch (IllegalArgumentException e) {
      throw Problem.notFound("You have no session `" + text + "`.");
    }
  }
}
