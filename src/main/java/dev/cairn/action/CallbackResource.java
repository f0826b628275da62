package dev.cairn.action;

import dev.cairn.access.CurrentCaller;
import dev.cairn.platform.http.QueryParameters;
import io.smallrye.common.annotation.RunOnVirtualThread;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.UriInfo;
import java.io.InputStream;
import java.util.Optional;
import java.util.Set;

/** Reports on actions; the rules are in {@code docs/actions.md}, Callbacks. */
@Path("/api/action-runs")
@RunOnVirtualThread
@Consumes(MediaType.APPLICATION_JSON)
@Produces(MediaType.APPLICATION_JSON)
public class CallbackResource {
  private static final String TOKEN = "token";

  private final CurrentCaller caller;
  private final Callbacks callbacks;

  CallbackResource(CurrentCaller caller, Callbacks callbacks) {
    this.caller = caller;
    this.callbacks = callbacks;
  }

  /** Progress, or the end, of an action. */
  @POST
  @Path("{runId}/callback")
  public Callbacks.Answer callback(
      @PathParam("runId") String runId, InputStream body, @Context UriInfo uri) {
    var id = RunId.of(runId);
    // Before all other parameters are judged: a stranger learns nothing from them.
    var token = Optional.ofNullable(uri.getQueryParameters().getFirst(TOKEN));
    var access = callbacks.authorize(caller.get(), id, token);
    QueryParameters.of(uri, Set.of(TOKEN));
    return callbacks.take(id, access, token, Report.read(body));
  }
}
