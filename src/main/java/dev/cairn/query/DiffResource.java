package dev.cairn.query;

import static dev.cairn.access.Permission.REPO_READ;

import dev.cairn.access.Authorizer;
import dev.cairn.access.CurrentCaller;
import dev.cairn.access.RepositoryPath;
import dev.cairn.access.conditional.ConditionalReads;
import dev.cairn.platform.http.QueryParameters;
import io.smallrye.common.annotation.RunOnVirtualThread;
import jakarta.ws.rs.BeanParam;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import jakarta.ws.rs.core.UriInfo;

/** Differences between two moments; the rules are in {@code docs/reads.md}, Differences. */
@Path("/api/repos/{org}/{repo}/diff")
@RunOnVirtualThread
@Produces(MediaType.APPLICATION_JSON)
public class DiffResource {
  private final CurrentCaller caller;
  private final Authorizer authorizer;
  private final ConditionalReads conditional;
  private final DiffReads differences;

  DiffResource(
      CurrentCaller caller,
      Authorizer authorizer,
      ConditionalReads conditional,
      DiffReads differences) {
    this.caller = caller;
    this.authorizer = authorizer;
    this.conditional = conditional;
    this.differences = differences;
  }

  /** A page of differences. */
  @GET
  public Response diff(@BeanParam RepositoryPath path, @Context UriInfo uri) {
    return authorizer.call(
        caller.get(),
        path.org(),
        path.repo(),
        REPO_READ,
        access -> {
          access.requireUnrestricted();
          var request = DiffReads.Request.of(QueryParameters.of(uri, DiffReads.Request.PARAMETERS));
          return conditional.answer(access, current -> differences.page(current, request));
        });
  }
}
