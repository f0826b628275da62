package dev.cairn.query;

import static dev.cairn.access.Permission.REPO_READ;
import static java.nio.charset.StandardCharsets.UTF_8;

import dev.cairn.access.Authorizer;
import dev.cairn.access.CurrentCaller;
import dev.cairn.access.RepositoryAccess;
import dev.cairn.access.RepositoryPath;
import dev.cairn.access.conditional.ConditionalReads;
import dev.cairn.platform.http.BaseUrl;
import dev.cairn.platform.http.QueryParameters;
import io.smallrye.common.annotation.RunOnVirtualThread;
import io.vertx.core.http.HttpServerRequest;
import jakarta.ws.rs.BeanParam;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.HttpHeaders;
import jakarta.ws.rs.core.Response;
import jakarta.ws.rs.core.UriInfo;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * Raw content under the repository's own path; the rules are in {@code docs/reads.md}, Raw content.
 */
@Path("/")
@RunOnVirtualThread
public class ContentResource {
  private static final String MARKDOWN = "text/markdown; charset=utf-8";
  private static final String VARY = HttpHeaders.AUTHORIZATION + ", " + HttpHeaders.ACCEPT;
  private static final String PLAIN = "text/plain; charset=utf-8";

  private final CurrentCaller caller;
  private final Authorizer authorizer;
  private final ConditionalReads conditional;
  private final DescribeReads describe;
  private final ContentReads contents;
  private final BaseUrl baseUrl;

  ContentResource(
      CurrentCaller caller,
      Authorizer authorizer,
      ConditionalReads conditional,
      DescribeReads describe,
      ContentReads contents,
      BaseUrl baseUrl) {
    this.caller = caller;
    this.authorizer = authorizer;
    this.conditional = conditional;
    this.describe = describe;
    this.contents = contents;
    this.baseUrl = baseUrl;
  }

  /** The readme of the repository. */
  @GET
  @Path("{org}/{repo}/readme.md")
  @Produces({MARKDOWN, PLAIN})
  public Response readme(@BeanParam RepositoryPath path, @Context UriInfo uri) {
    return read(
        path,
        uri,
        access -> {
          return conditional.answer(
              access, current -> contents.text(current, "Readme").getBytes(UTF_8));
        });
  }

  /** The repository's instructions for agents. */
  @GET
  @Path("{org}/{repo}/agents.md")
  @Produces({MARKDOWN, PLAIN})
  public Response agents(@BeanParam RepositoryPath path, @Context UriInfo uri) {
    return read(
        path,
        uri,
        access -> {
          return conditional.answer(
              access, current -> contents.text(current, "Agents").getBytes(UTF_8));
        });
  }

  /** An overview of the repository for language models, generated from its content. */
  @GET
  @Path("{org}/{repo}/llms.txt")
  @Produces({PLAIN, MARKDOWN})
  public Response llms(
      @BeanParam RepositoryPath path, @Context UriInfo uri, @Context HttpServerRequest request) {
    return read(
        path,
        uri,
        access -> {
          var description = describe.description(access);
          var base = baseUrl.of(request);
          return conditional.answer(
              access,
              Stream.concat(Stream.of(base), description.stream()).toList(),
              current -> contents.llms(current, description, base).getBytes(UTF_8));
        });
  }

  private Response read(
      RepositoryPath path, UriInfo uri, Function<RepositoryAccess, Response> read) {
    return authorizer.call(
        caller.get(),
        path.org(),
        path.repo(),
        REPO_READ,
        access -> {
          access.requireUnrestricted();
          QueryParameters.none(uri);
          return Response.fromResponse(read.apply(access))
              .header(HttpHeaders.VARY, null)
              .header(HttpHeaders.VARY, VARY)
              .build();
        });
  }
}
