package dev.cairn.commit;

import static dev.cairn.access.Permission.REPO_READ;
import static dev.cairn.access.Permission.REPO_WRITE;
import static dev.cairn.platform.page.Page.CURSOR;
import static dev.cairn.platform.page.Page.LIMIT;

import dev.cairn.access.Authorizer;
import dev.cairn.access.CurrentCaller;
import dev.cairn.access.RepositoryAccess;
import dev.cairn.access.RepositoryPath;
import dev.cairn.access.conditional.ConditionalReads;
import dev.cairn.access.conditional.IdempotencyKeys;
import dev.cairn.content.verification.HistoryVerification;
import dev.cairn.platform.http.QueryParameters;
import dev.cairn.platform.memory.ReceivedBody;
import dev.cairn.platform.page.Page;
import io.smallrye.common.annotation.RunOnVirtualThread;
import io.vertx.core.http.HttpServerRequest;
import jakarta.ws.rs.BeanParam;
import jakarta.ws.rs.Consumes;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.POST;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.Context;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import jakarta.ws.rs.core.UriInfo;
import java.io.InputStream;
import java.util.Set;
import java.util.function.Function;

/** Commits of a repository; the rules are in {@code docs/commits.md}. */
@Path("/api/repos/{org}/{repo}")
@RunOnVirtualThread
@Produces(MediaType.APPLICATION_JSON)
public class CommitResource {
  private static final Set<String> PAGED = Set.of(LIMIT, CURSOR);

  private final CurrentCaller caller;
  private final Authorizer authorizer;
  private final ConditionalReads conditional;
  private final Submissions submissions;
  private final CommitLog log;
  private final HistoryVerification verification;

  CommitResource(
      CurrentCaller caller,
      Authorizer authorizer,
      ConditionalReads conditional,
      Submissions submissions,
      CommitLog log,
      HistoryVerification verification) {
    this.caller = caller;
    this.authorizer = authorizer;
    this.conditional = conditional;
    this.submissions = submissions;
    this.log = log;
    this.verification = verification;
  }

  /** Commits a batch of operations. */
  @POST
  @Path("commits")
  @Consumes(MediaType.APPLICATION_JSON)
  public Response submit(
      @BeanParam RepositoryPath path,
      InputStream body,
      @Context HttpServerRequest request,
      @Context UriInfo uri) {
    try (var received = new ReceivedBody(body)) {
      var answer =
          authorizer.call(
              caller.get(),
              path.org(),
              path.repo(),
              REPO_WRITE,
              access -> submitted(access, request, received, uri));
      return Response.status(answer.status()).entity(answer.json()).build();
    }
  }

  private CommitAnswer submitted(
      RepositoryAccess access, HttpServerRequest request, ReceivedBody body, UriInfo uri) {
    var parameters = QueryParameters.of(uri, Set.of(CommitAnswer.Form.PARAMETER));
    var form = CommitAnswer.Form.of(parameters.text(CommitAnswer.Form.PARAMETER).orElse("full"));
    var key = IdempotencyKeys.of(request.headers().getAll(IdempotencyKeys.HEADER));
    return submissions.submit(
        access, key, CommitAnswer.Wanted.of(form), conditional.precondition(access), body);
  }

  /** The commits, newest first. */
  @GET
  @Path("commits")
  public Response list(@BeanParam RepositoryPath path, @Context UriInfo uri) {
    return read(
        path,
        access -> {
          var listing = CommitLog.Listing.of(QueryParameters.of(uri, CommitLog.Listing.PARAMETERS));
          return conditional.answer(access, current -> log.list(current, listing));
        });
  }

  /** One commit with its operations. */
  @GET
  @Path("commits/{commitId}")
  public Response get(
      @BeanParam RepositoryPath path,
      @PathParam("commitId") String commitId,
      @Context UriInfo uri) {
    return read(
        path,
        access -> {
          var parameters = QueryParameters.of(uri, PAGED);
          int limit = Page.limit(parameters);
          return conditional.answer(
              access, current -> log.get(current, commitId, limit, parameters.text(CURSOR)));
        });
  }

  /** Recomputes the hash chain from the first commit to the last. */
  @GET
  @Path("verification")
  public HistoryVerification.Verification verify(
      @BeanParam RepositoryPath path, @Context UriInfo uri) {
    var access =
        authorizer
            .repository(caller.get(), path.org(), path.repo(), REPO_WRITE)
            .requireUnrestricted();
    QueryParameters.none(uri);
    return verification.verify(access);
  }

  private Response read(RepositoryPath path, Function<RepositoryAccess, Response> read) {
    return authorizer.call(
        caller.get(),
        path.org(),
        path.repo(),
        REPO_READ,
        access -> read.apply(access.requireUnrestricted()));
  }
}
