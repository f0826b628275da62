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
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import jakarta.ws.rs.core.UriInfo;
import java.util.Set;

/** A repository as a whole; the rules are in {@code docs/reads.md}, Describe. */
@Path("/api/repos/{org}/{repo}/describe")
@RunOnVirtualThread
@Produces(MediaType.APPLICATION_JSON)
public class DescribeResource {
  private final CurrentCaller caller;
  private final Authorizer authorizer;
  private final ConditionalReads conditional;
  private final DescribeReads describe;

  DescribeResource(
      CurrentCaller caller,
      Authorizer authorizer,
      ConditionalReads conditional,
      DescribeReads describe) {
    this.caller = caller;
    this.authorizer = authorizer;
    this.conditional = conditional;
    this.describe = describe;
  }

  /** Describes the repository's content, and how to add to it. */
  @GET
  public Response describe(@BeanParam RepositoryPath path, @Context UriInfo uri) {
    return authorizer.call(
        caller.get(),
        path.org(),
        path.repo(),
        REPO_READ,
        access -> {
          var parameters = QueryParameters.of(uri, Set.of(LIMIT, CURSOR));
          int limit = Page.limit(parameters);
          var description = describe.description(access);
          return conditional.answer(
              access,
              description.stream().toList(),
              current -> describe.page(current, description, limit, parameters.text(CURSOR)));
        });
  }
}
