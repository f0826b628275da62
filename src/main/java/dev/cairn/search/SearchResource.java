package dev.cairn.search;

import static dev.cairn.access.Permission.REPO_READ;

import dev.cairn.access.Authorizer;
import dev.cairn.access.CurrentCaller;
import dev.cairn.access.RepositoryAccess;
import dev.cairn.access.RepositoryPath;
import dev.cairn.access.conditional.ConditionalReads;
import dev.cairn.platform.http.QueryParameters;
import dev.cairn.platform.page.JsonPage;
import io.smallrye.common.annotation.RunOnVirtualThread;
import jakarta.ws.rs.BeanParam;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.UriInfo;
import java.util.function.Function;

/** Search by words and by vectors; the rules are in {@code docs/search.md}. */
@Path("/api/repos/{org}/{repo}/search")
@RunOnVirtualThread
@Produces(MediaType.APPLICATION_JSON)
public class SearchResource {
  private final CurrentCaller caller;
  private final Authorizer authorizer;
  private final ConditionalReads conditional;
  private final EntitySearch search;

  SearchResource(
      CurrentCaller caller,
      Authorizer authorizer,
      ConditionalReads conditional,
      EntitySearch search) {
    this.caller = caller;
    this.authorizer = authorizer;
    this.conditional = conditional;
    this.search = search;
  }

  /** The entities that match, the best first. */
  @GET
  public JsonPage search(@BeanParam RepositoryPath path, @Context UriInfo uri) {
    // By itself, since the caller may lose its access while it waits: then it is refused below.
    var vector =
        SearchRequest.needsPreparation(uri.getQueryParameters()::containsKey)
            ? read(path, access -> search.prepare(access, request(uri)))
            : QueryVector.NONE;
    return read(
        path,
        access -> {
          var request = request(uri);
          return conditional.consistent(access, current -> search.page(current, request, vector));
        });
  }

  private static SearchRequest request(UriInfo uri) {
    return SearchRequest.of(
        QueryParameters.of(uri, SearchRequest.PARAMETERS, SearchRequest.REPEATABLE));
  }

  private <T> T read(RepositoryPath path, Function<RepositoryAccess, T> work) {
    return authorizer.call(caller.get(), path.org(), path.repo(), REPO_READ, work);
  }
}
