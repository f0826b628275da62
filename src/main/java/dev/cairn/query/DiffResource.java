package dev.cairn.query;

import static dev.cairn.access.Permission.REPO_READ;
import static dev.cairn.platform.page.Page.CURSOR;
import static dev.cairn.platform.page.Page.LIMIT;

import dev.cairn.access.Authorizer;
import dev.cairn.access.CurrentCaller;
import dev.cairn.access.RepositoryPath;
import dev.cairn.access.conditional.ConditionalReads;
import dev.cairn.content.At;
import dev.cairn.model.Problem;
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

/** Differences between two moments; the rules are in {@code docs/reads.md}, Differences. */
@Path("/api/repos/{org}/{repo}/diff")
@RunOnVirtualThread
@Produces(MediaType.APPLICATION_JSON)
public class DiffResource {
  private static final Set<String> KNOWN = Set.of("from", "to", LIMIT, CURSOR);

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
          var parameters = QueryParameters.of(uri, KNOWN);
          var from =
              parameters
                  .text("from")
                  .map(text -> At.parse("from", text))
                  .orElseThrow(
                      () ->
                          Problem.invalid(
                              "from", "`from` is required: a commit id or a `repoSeq`, or 0."));
          var to = parameters.text("to").map(text -> At.parse("to", text));
          int limit = Page.limit(parameters);
          return conditional.answer(
              access, () -> differences.page(access, from, to, limit, parameters.text(CURSOR)));
        });
  }
}
