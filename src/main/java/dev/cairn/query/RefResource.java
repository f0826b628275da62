package dev.cairn.query;

import static dev.cairn.access.Permission.REPO_READ;
import static dev.cairn.platform.page.Page.CURSOR;
import static dev.cairn.platform.page.Page.LIMIT;

import dev.cairn.access.Authorizer;
import dev.cairn.access.CurrentCaller;
import dev.cairn.access.RepositoryPath;
import dev.cairn.access.conditional.ConditionalReads;
import dev.cairn.platform.http.QueryParameters;
import dev.cairn.platform.page.Page;
import io.smallrye.common.annotation.RunOnVirtualThread;
import jakarta.ws.rs.BeanParam;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import jakarta.ws.rs.core.UriInfo;
import java.util.Set;

/** The references of an entity; the rules are in {@code docs/reads.md}, References. */
@Path("/api/repos/{org}/{repo}/refs")
@RunOnVirtualThread
@Produces(MediaType.APPLICATION_JSON)
public class RefResource {
  private static final Set<String> KNOWN = Set.of("direction", LIMIT, CURSOR);

  private final CurrentCaller caller;
  private final Authorizer authorizer;
  private final ConditionalReads conditional;
  private final RefReads refs;

  RefResource(
      CurrentCaller caller, Authorizer authorizer, ConditionalReads conditional, RefReads refs) {
    this.caller = caller;
    this.authorizer = authorizer;
    this.conditional = conditional;
    this.refs = refs;
  }

  /** The references to the entity, or from it. */
  @GET
  @Path("{wref: \\G.+}")
  public Response refs(
      @BeanParam RepositoryPath path, @PathParam("wref") String wref, @Context UriInfo uri) {
    return authorizer.call(
        caller.get(),
        path.org(),
        path.repo(),
        REPO_READ,
        access -> {
          var parameters = QueryParameters.of(uri, KNOWN);
          var named = EntityFilter.named(wref);
          var direction =
              parameters
                  .text("direction")
                  .map(RefReads.Direction::parse)
                  .orElse(RefReads.Direction.INBOUND);
          int limit = Page.limit(parameters);
          return conditional.answer(
              access,
              current -> refs.page(current, named, direction, limit, parameters.text(CURSOR)));
        });
  }
}
